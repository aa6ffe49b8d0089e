// Pictures of the causes of death, drawn by hand: each stands beside its words, so it is decoration only.
import { html } from "preact";
import { Left, SceneFrame } from "rr/mafia/scenes";
import { hunterOf } from "rr/dynamite/words";

const Rock = ({ x = 0, y = 0 }) => html`<path class="pic-rock" transform=${`translate(${x} ${y})`} d="M4 22 L10 8 L24 3 L36 9 L40 22 L32 32 L12 33 Z" /><path class="pic-line" transform=${`translate(${x} ${y})`} d="M10 8 L18 16 L14 33 M18 16 L36 9" />`;
const Paper = ({ x = 0, y = 0 }) => html`<path class="pic-paper" transform=${`translate(${x} ${y})`} d="M3 3 H25 L33 11 V35 H3 Z" /><path class="pic-line" transform=${`translate(${x} ${y})`} d="M25 3 V11 H33 M9 17 H27 M9 23 H27 M9 29 H20" />`;
const Scissors = ({ x = 0, y = 0, turn = 0 }) => html`<g transform=${`translate(${x} ${y}) rotate(${turn} 18 18)`}><path class="pic-scissors" d="M16 20 L33 2 L21 22 Z M20 20 L3 2 L15 22 Z" /><circle class="pic-ring" cx="10" cy="28" r="6" /><circle class="pic-ring" cx="26" cy="28" r="6" /></g>`;
const Bang = ({ x, y, size = 1 }) => html`<path class="pic-bang" transform=${`translate(${x} ${y}) scale(${size})`} d="M0 -22 L5 -9 L18 -16 L11 -3 L24 4 L10 7 L14 21 L1 12 L-10 22 L-9 8 L-24 6 L-12 -3 L-19 -16 L-6 -10 Z" />`;
const Stick = ({ x, y, turn = 0 }) => html`<g transform=${`translate(${x} ${y}) rotate(${turn})`}><rect class="pic-stick" x="-6" y="-16" width="12" height="32" rx="2.5" /><path class="pic-line" d="M-6 -9 H6 M-6 9 H6 M0 -16 C0 -24 9 -22 8 -29" /></g>`;
const Flame = ({ x, y }) => html`<path class="pic-flame" transform=${`translate(${x} ${y})`} d="M0 5 C-5 2 -3 -3 0 -7 C3 -3 5 2 0 5 Z" />`;

const Stapler = () => html`
  <path class="pic-dust" d="M4 52 H24 M2 44 H16 M8 36 H18" />
  <path class="pic-metal" d="M24 50 H84 V56 H24 Z" />
  <path class="pic-body" d="M26 40 C30 20 44 12 60 12 L90 24 L87 34 L30 46 Z" />
  <path class="pic-metal" d="M36 44 L86 33 L85 40 L38 49 Z" />
  <path class="pic-tooth" d="M48 43 L51 49 L54 42 M60 40 L63 46 L66 39 M72 37 L75 43 L78 36" />
  <circle class="pic-eye" cx="62" cy="22" r="5" /><circle class="pic-pupil" cx="64" cy="23" r="2" /><path class="pic-line" d="M54 15 L66 18" />
  <path class="pic-staple" d="M92 44 V52 M92 44 H102 M102 44 V52 M100 58 V64 M100 58 H108 M108 58 V64" />`;

const Explosion = () => html`<${Bang} x="56" y="36" size="1.45" /><${Stick} x="56" y="38" turn="20" /><${Flame} x="72" y="12" /><path class="pic-dust" d="M14 20 L22 26 M12 50 L22 46 M96 16 L88 22 M100 54 L90 48" />`;

/** Rock smashes scissors, paper wraps rock, scissors cut paper; by the team of the dead player. */
const CONFRONTED = {
  scissors: () => html`<g transform="translate(44 22) scale(1.25)"><${Scissors} turn="66" /></g><g transform="translate(8 2) scale(1.25)"><${Rock} /></g><path class="pic-dust" d="M68 12 L78 2 M76 20 L92 12 M96 34 L108 30" />`,
  rock: () => html`<g transform="translate(28 2) scale(1.35)"><${Rock} /></g><path class="pic-paper" d="M14 34 C26 26 40 40 56 32 C70 25 84 38 98 30 L102 58 C84 70 66 56 52 64 C38 70 26 60 10 66 Z" /><path class="pic-line" d="M22 44 C34 38 44 48 58 42 M24 54 C36 48 46 58 64 51 M70 42 C78 40 84 44 92 40" />`,
  paper: () => html`<g transform="rotate(-8 40 36)"><${Paper} x="20" y="16" /></g><g transform="translate(58 16) rotate(14 18 18)"><path class="pic-paper" d="M3 3 H25 L33 11 V35 H3 Z" /></g><${Scissors} x="36" y="12" turn="180" />`,
};

const Confronted = ({ team }) => CONFRONTED[team] && hunterOf(team) ? html`<${CONFRONTED[team]} />` : html`<${Bang} x="56" y="36" />`;

const OWN = { rock: Rock, paper: Paper, scissors: Scissors };

/** A mafioso who met a townie: the stick stands, the mafioso lies in pieces. */
const Townie = ({ team }) => html`<${Bang} x="40" y="38" size="1.1" /><g transform="translate(20 20) rotate(-14 18 18)"><${OWN[team] ?? Rock} /></g><${Stick} x="86" y="42" /><${Flame} x="95" y="10" /><path class="pic-line" d="M80 40 H83 M89 40 H92 M82 46 Q86 50 90 46" />`;

const SCENES = { stapler: Stapler, explosion: Explosion, confronted: Confronted, townie: Townie, left: Left };

/** The picture of one cause; team: of the dead player. */
export function Scene({ cause, team }) {
  const Drawn = SCENES[cause];
  if (!Drawn) return null;
  return html`<${SceneFrame} cause=${cause}><${Drawn} team=${team} /><//>`;
}
