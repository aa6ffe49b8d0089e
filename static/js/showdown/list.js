// The list of tables, drawn from the lobby's frame.
import { html } from "preact";

/** What each filter lets through; the names stand on the page's buttons. */
export const FILTERS = {
  all: () => true,
  seat: (table) => table.status === "open" && table.players.length < table.seats,
  two: (table) => table.seats === 2,
  low: (table) => table.ante <= 2,
  running: (table) => table.status === "running",
};

export function statusLine(table) {
  const names = table.players.map((player) => (player.bot ? `${player.name} (bot)` : player.name));
  const state = table.status === "open" ? "waiting" : table.round ? `round ${table.round}` : "betting";
  return [state, ...names].join(" · ");
}

/** The word on the button and whether it is the one thing to press. */
export function invitation(table) {
  if (FILTERS.seat(table)) return { word: "Sit down", brass: true };
  return { word: table.spectators ? "Watch" : "Open", brass: false };
}

export function Dots({ taken, seats }) {
  const dots = Array.from({ length: seats }, (_, place) => html`<i class=${place < taken ? "dot dot-on" : "dot"} />`);
  return html`<span class="dots" aria-hidden="true">${dots}</span><span class="sr">${taken} of ${seats} seats taken</span>`;
}

function Row({ table, url }) {
  const { word, brass } = invitation(table);
  return html`<tr>
    <th scope="row"><a href=${url}>${table.title}</a><small>${statusLine(table)}</small></th>
    <td data-label="Seats"><span class="seats-cell"><${Dots} taken=${table.players.length} seats=${table.seats} /></span></td>
    <td data-label="Ante" class="num right">${table.ante}</td>
    <td data-label="Target" class="num right">${table.target}</td>
    <td data-label="Pot" class="num right">${table.pot || "–"}</td>
    <td class="row-end"><a class=${brass ? "btn btn-brass" : "btn"} href=${url}>${word}<span class="sr">: ${table.title}</span></a></td>
  </tr>`;
}

export function LobbyList({ rows, rowUrl }) {
  if (!rows.length) return html`<p class="pad muted">No table of this kind at the moment.</p>`;
  return html`<table class="rows">
    <thead><tr><th scope="col">Table</th><th scope="col">Seats</th><th scope="col" class="right">Ante</th><th scope="col" class="right">Target</th><th scope="col" class="right">Pot</th><th scope="col"><span class="sr">Open</span></th></tr></thead>
    <tbody>${rows.map((table) => html`<${Row} key=${table.public_id} table=${table} url=${rowUrl(table.public_id)} />`)}</tbody>
  </table>`;
}
