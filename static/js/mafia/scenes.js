// Pictures of the causes of death that more than one game has, and the frame of all of them.
import { html } from "preact";

/** Somebody who left town: a suitcase before a closed door. */
export const Left = () => html`
  <path class="pic-dust" d="M6 60 H106" /><path class="pic-body" d="M70 14 H98 V60 H70 Z" /><path class="pic-door" d="M74 18 H94 V60 H74 Z" /><circle class="pic-eye" cx="90" cy="40" r="2" />
  <path class="pic-stick" d="M22 34 H52 V56 H22 Z" /><path class="pic-line" d="M31 34 V28 H43 V34 M22 43 H52 M29 43 V48 M45 43 V48" /><path class="pic-dust" d="M6 40 H16 M4 48 H16" />`;

/** A picture beside its words, so decoration only; children: what is drawn. */
export function SceneFrame({ cause, children }) {
  return html`<svg class=${`scene scene-${cause}`} viewBox="0 0 112 72" aria-hidden="true" focusable="false">${children}</svg>`;
}
