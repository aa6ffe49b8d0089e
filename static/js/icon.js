// One picture out of the sprite.
import { html } from "preact";

const SPRITE = globalThis.document ? document.documentElement.dataset.sprite : "";

/** Decoration only: the text beside it says the same. */
export function Icon({ name, class: extra = "" }) {
  return html`<svg class=${`icon ${extra}`} aria-hidden="true" focusable="false"><use href=${`${SPRITE}#${name}`}></use></svg>`;
}
