// A hand as the face of a card.
import { html } from "preact";
import { Face } from "rr/board/parts";
import { title } from "rr/duel/words";

export function HandFace({ hand, note }) {
  return html`<${Face} name=${hand} word=${title(hand)} note=${note} />`;
}
