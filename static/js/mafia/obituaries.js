// The deaths at the last change of phase, each with a picture of the cause.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { callName } from "rr/board/seats";

/** news: the line above, which on phones waits for the second phase; dead: [{no, look, pictures, card, fate}], of which pictures and card are drawn. */
export function Obituaries({ news, dead }) {
  const { view } = useTable();
  return html`<div class="obituaries"><p class=${view.game.phase === 1 ? "news only-wide" : "news"}>${news}</p>
    ${dead.length > 0 && html`<ul>${dead.map((one) => html`<li key=${one.no} class=${`obituary ${one.look}`}>
      <span class="scenes">${one.pictures}</span>
      <span class="obituary-words"><b>${callName(view, one.no)}</b>${one.card && html`<span class="small">${one.card}</span>`}<span class="small muted">${one.fate}</span></span></li>`)}</ul>`}</div>`;
}
