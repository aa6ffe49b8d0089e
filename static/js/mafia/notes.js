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
const GONE = "gone when you leave the page.";

export function Notes() {
  const { config, view } = useTable();
  const isKept = config.keeps_notes || view.you.seat !== null;
  const book = notebookOf(config);
  const [text, write] = useState(book.notes);
  const [state, follow] = useState(book.state);
  useEffect(() => book.onState(follow), [book]);
  const type = (event) => {
    write(event.target.value);
    if (isKept) book.write(event.target.value);
    else book.notes = event.target.value;
  };
  const words = book.isGuest ? `Log in and play, and they are kept; now they are ${GONE}` : isKept ? (WORDS[state] ?? `Not kept. ${book.problem}`) : `Only players' notes are kept: yours are ${GONE}`;
  return html`<div class="notes">
    <label for="notes"><b>Your notes</b><small class="muted" role="status">${words}</small></label>
    <textarea id="notes" dir="auto" value=${text} maxlength=${LONGEST} onInput=${type} placeholder="Who said what, and who looked away?"></textarea>
  </div>`;
}
