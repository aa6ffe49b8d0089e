// Private notes: kept in this browser for this player and this game, sent to nobody.
import { html, useState } from "preact";
import { useTable } from "rr/board/parts";
import { ownerOf, recall, remember } from "rr/mafia/memory";

export function Notes() {
  const { view } = useTable();
  const who = ownerOf(view);
  const [text, write] = useState(() => recall(who, "notes"));
  const [isKept, keep] = useState(true);
  const type = (event) => {
    write(event.target.value);
    keep(remember(who, "notes", event.target.value));
  };
  return html`<div class="notes">
    <label for="notes"><b>Your notes</b><small class="muted">${isKept ? "Only you: they stay in this browser and are sent to nobody." : "This browser keeps nothing: the notes are gone when you leave the page."}</small></label>
    <textarea id="notes" value=${text} onInput=${type} placeholder="Who said what, and who looked away?"></textarea>
  </div>`;
}
