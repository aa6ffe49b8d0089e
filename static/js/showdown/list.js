// The rows of tables in the lobby, drawn from its frame.
import { html } from "preact";
import { Dots } from "rr/lobby-list";

/** The filters by the names on the page's buttons. */
export const FILTERS = {
  all: () => true,
  seat: (table) => table.status === "open" && table.players.length < table.seats,
  two: (table) => table.seats === 2,
  low: (table) => table.ante <= 5,
  running: (table) => table.status === "running",
};

export const COLUMNS = ["Table", "Seats", { right: "Ante" }, { right: "Target" }, { right: "Pot" }];
export const NONE = "No tables like this right now.";

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

export function row(table) {
  const { word, brass } = invitation(table);
  const { url } = table;
  return html`<tr key=${table.public_id}>
    <th scope="row"><a href=${url}>${table.title}</a><small>${statusLine(table)}</small></th>
    <td data-label="Seats"><span class="seats-cell"><${Dots} taken=${table.players.length} seats=${table.seats} /></span></td>
    <td data-label="Ante" class="num right">${table.ante}</td>
    <td data-label="Target" class="num right">${table.target}</td>
    <td data-label="Pot" class="num right">${table.pot || "–"}</td>
    <td class="row-end"><a class=${brass ? "btn btn-brass" : "btn"} href=${url}>${word}<span class="sr">: ${table.title}</span></a></td>
  </tr>`;
}
