// The rows of Mafia games in the lobby, drawn from its frame.
import { html } from "preact";
import { lengthWords } from "rr/board/wording";
import { Dots } from "rr/lobby-list";

/** The filters by the names on the page's buttons. */
export const FILTERS = {
  all: () => true,
  seat: (game) => (game.status === "open" && game.players.length < game.seats) || game.open_seats > 0,
  quick: (game) => game.phase_seconds <= 600,
  slow: (game) => game.phase_seconds > 600,
  running: (game) => game.status === "running",
};

export const COLUMNS = ["Town", "Seats", { right: "A phase" }, { right: "Living" }];
export const NONE = "No games like this right now.";

/** "waiting for players", "Night 2". */
export function stateLine(game) {
  if (game.begins_at) return `begins ${new Date(game.begins_at).toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })}`;
  if (game.status === "open") return "waiting for players";
  return `${game.stage === "night" ? "night" : "day"} ${game.round}${openWords(game)}`;
}

/** The seats of a running game that others may take over. */
function openWords(game) {
  if (!game.open_seats) return "";
  return game.open_seats === 1 ? " · a seat is open" : ` · ${game.open_seats} seats are open`;
}

/** The word on the button and whether it is the one thing to press. */
export function invitationTo(game, own) {
  if (game.players.some((player) => player.name === own)) return { word: "Continue", brass: false };
  if (FILTERS.seat(game)) return { word: game.status === "open" ? "Join" : "Take over", brass: true };
  return { word: game.spectators ? "Watch" : "Open", brass: false };
}

/** The button's link; a board without spectators shows its open seat on another page. */
export function wayTo(game) {
  return game.open_seats && !game.spectators ? `${game.url}seat/` : game.url;
}

/** own: the viewer's name, empty for guests. */
export function row(game, own) {
  const { word, brass } = invitationTo(game, own);
  return html`<tr key=${game.public_id}>
    <th scope="row"><a href=${game.url}><bdi>${game.title}</bdi></a><small>${stateLine(game)}</small></th>
    <td data-label="Seats"><span class="seats-cell"><${Dots} taken=${game.players.length} seats=${game.seats} /></span></td>
    <td data-label="A phase" class="right">${lengthWords(game.phase_seconds)}</td>
    <td data-label="Living" class="num right">${game.status === "running" ? game.living : "–"}</td>
    <td class="row-end"><a class=${brass ? "btn btn-brass" : "btn"} href=${brass ? wayTo(game) : game.url}>${word}<span class="sr">: ${game.title}</span></a></td>
  </tr>`;
}
