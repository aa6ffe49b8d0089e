// One list of the lobby: the table around the rows that a game draws.
import { html } from "preact";

/** The number of taken seats, as dots and in words. */
export function Dots({ taken, seats }) {
  const dots = Array.from({ length: seats }, (_, place) => html`<i class=${place < taken ? "dot dot-on" : "dot"} />`);
  return html`<span class="dots" aria-hidden="true">${dots}</span><span class="sr">${taken} of ${seats} seats taken</span>`;
}

function Heading({ column }) {
  if (typeof column === "string") return html`<th scope="col">${column}</th>`;
  return html`<th scope="col" class="right">${column.right}</th>`;
}

/**
 * game: a game's list module. It exports FILTERS {name: (row) => boolean}, the names being those on
 * the page's buttons; COLUMNS, the headings before the button's, as a word or as {right: word};
 * NONE, what to say when a filter lets nothing through; row(data, own), the <tr> of one row.
 * own: the viewer's name, empty for guests.
 */
export function LobbyList({ game, rows, own }) {
  if (!rows.length) return html`<p class="pad muted">${game.NONE}</p>`;
  return html`<table class="rows">
    <thead><tr>${game.COLUMNS.map((column) => html`<${Heading} column=${column} />`)}<th scope="col"><span class="sr">Open</span></th></tr></thead>
    <tbody>${rows.map((data) => game.row(data, own))}</tbody>
  </table>`;
}
