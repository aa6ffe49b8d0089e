// Pictures of the causes of death in Agoran Mafia, drawn by hand: knife, noose, suitcase.
import { html } from "preact";
import { Left, SceneFrame } from "rr/mafia/scenes";

const Knife = () => html`
  <path class="pic-dust" d="M6 60 H106" /><path class="pic-door" d="M16 60 V14 H46 V60 Z" /><rect class="pic-bang" x="23" y="22" width="16" height="14" />
  <path class="pic-line" d="M31 22 V36 M23 29 H39" />
  <g transform="rotate(24 76 34)"><path class="pic-metal" d="M72 42 V14 C72 8 76 4 82 2 V42 Z" /><path class="pic-body" d="M66 42 H88 V47 H66 Z" /><path class="pic-stick" d="M72 47 H82 V64 H72 Z" /></g>`;

const Noose = () => html`
  <path class="pic-dust" d="M6 64 H106" /><path class="pic-door" d="M22 64 V8 H30 V64 Z M22 8 H78 V15 H22 Z" /><path class="pic-line" d="M30 30 L48 15" />
  <path class="pic-rope" d="M68 15 V30" /><path class="pic-rope" d="M68 30 C58 34 58 50 68 52 C78 50 78 34 68 30" /><path class="pic-knot" d="M65 25 H71 M65 28 H71 M65 31 H71" />
  <path class="pic-dust" d="M84 26 L90 22 M86 38 H94 M84 50 L90 54" />`;

const SCENES = { killed: Knife, lynched: Noose, left: Left };

export function Scene({ cause }) {
  return html`<${SceneFrame} cause=${cause}><${SCENES[cause]} /><//>`;
}
