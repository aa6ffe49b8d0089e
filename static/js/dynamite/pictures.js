// Pictures of how one dies here, drawn by hand: each beside its words, so decoration only.
import { html } from "preact";
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

/** Rock smashes scissors, paper wraps rock, scissors cut paper; by the team of whoever died. */
const CONFRONTED = {
  scissors: () => html`<${Scissors} x="50" y="24" turn="70" /><${Rock} x="26" y="8" /><path class="pic-dust" d="M74 14 L84 6 M80 22 L94 18 M78 32 L92 36" />`,
  rock: () => html`<${Rock} x="36" y="20" /><path class="pic-paper pic-wrap" d="M30 14 H78 L86 22 V48 C70 40 50 62 30 50 Z" /><path class="pic-line" d="M78 14 V22 H86 M38 24 H70 M38 32 H74 M38 40 H62" />`,
  paper: () => html`<g transform="rotate(-8 40 36)"><${Paper} x="20" y="16" /></g><g transform="translate(58 16) rotate(14 18 18)"><path class="pic-paper" d="M3 3 H25 L33 11 V35 H3 Z" /></g><${Scissors} x="36" y="12" turn="180" />`,
};

const Confronted = ({ team }) => CONFRONTED[team] && hunterOf(team) ? html`<${CONFRONTED[team]} />` : html`<${Bang} x="56" y="36" />`;

const OWN = { rock: Rock, paper: Paper, scissors: Scissors };

/** A mafioso who met a townie: the stick stands, whoever came lies in pieces. */
const Townie = ({ team }) => html`<${Bang} x="40" y="38" size="1.1" /><g transform="translate(20 20) rotate(-14 18 18)"><${OWN[team] ?? Rock} /></g><${Stick} x="86" y="42" /><${Flame} x="95" y="10" /><path class="pic-line" d="M80 40 H83 M89 40 H92 M82 46 Q86 50 90 46" />`;

const Left = () => html`
  <path class="pic-dust" d="M6 60 H106" /><path class="pic-body" d="M70 14 H98 V60 H70 Z" /><path class="pic-door" d="M74 18 H94 V60 H74 Z" /><circle class="pic-eye" cx="90" cy="40" r="2" />
  <path class="pic-stick" d="M22 34 H52 V56 H22 Z" /><path class="pic-line" d="M31 34 V28 H43 V34 M22 43 H52 M29 43 V48 M45 43 V48" /><path class="pic-dust" d="M6 40 H16 M4 48 H16" />`;

const SCENES = { stapler: Stapler, explosion: Explosion, confronted: Confronted, townie: Townie, left: Left };

/** The picture of one cause; team: of whoever died. */
export function Scene({ cause, team }) {
  const Drawn = SCENES[cause];
  if (!Drawn) return null;
  return html`<svg class=${`scene scene-${cause}`} viewBox="0 0 112 72" aria-hidden="true" focusable="false"><${Drawn} team=${team} /></svg>`;
}
