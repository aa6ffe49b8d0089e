// Private notes: kept with the account for this player and this game, shown to nobody else.
import { html, useEffect, useState } from "preact";
import { useTable } from "rr/board/parts";
import { notebookOf } from "rr/mafia/memory";

const LONGEST = 10_000; // characters

const WORDS = {
  kept: "Only you: they are kept with your account.",
  waiting: "Being kept…",
  lost: "They could not be kept yet; it is tried again.",
};

export function Notes() {
  const { config } = useTable();
  const book = notebookOf(config);
  const [text, write] = useState(book.notes);
  const [state, follow] = useState(book.state);
  useEffect(() => book.onState(follow), [book]);
  const type = (event) => {
    write(event.target.value);
    book.write(event.target.value);
  };
  return html`<div class="notes">
    <label for="notes"><b>Your notes</b><small class="muted" role="status">${book.isGuest ? "Log in, and they are kept; now they are gone when you leave the page." : WORDS[state]}</small></label>
    <textarea id="notes" value=${text} maxlength=${LONGEST} onInput=${type} placeholder="Who said what, and who looked away?"></textarea>
  </div>`;
}
