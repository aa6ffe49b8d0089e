// The open seats of all games in one list, drawn from the lobby's frame.
import { html } from "preact";
import { Dots, peopleOf } from "rr/lobby-list";

const MOST = 12;

export const FILTERS = { all: () => true };
export const COLUMNS = ["Game", "Seats"];
export const NONE = "";

/** The rows with a free seat, those with most people first. */
export function pick(games) {
  const open = Object.values(games).flat().filter((row) => row.free > 0);
  return open.sort((one, other) => peopleOf(other).length - peopleOf(one).length).slice(0, MOST);
}

function names(row) {
  return row.players.map(({ name, bot }) => (bot ? `${name} (bot)` : name)).join(", ");
}

/** own: the viewer's name, empty for guests. */
export function row(data, own) {
  const isMine = data.players.some((player) => player.name === own);
  const url = data.status === "running" && !data.spectators ? `${data.url}seat/` : data.url;
  const line = [names(data), data.terms].filter(Boolean).join(" · ");
  return html`<tr key=${data.public_id}>
    <th scope="row"><a href=${data.url}><bdi>${data.title}</bdi></a><small>${line}</small></th>
    <td data-label="Seats"><span class="seats-cell"><${Dots} taken=${data.seats - data.free} seats=${data.seats} /></span></td>
    <td class="row-end"><a class="btn" href=${isMine ? data.url : url}>${isMine ? "Continue" : "Join"}<span class="sr">: ${data.title}</span></a></td>
  </tr>`;
}
