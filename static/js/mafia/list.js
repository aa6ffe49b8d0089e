// The rows of Mafia games in the lobby, drawn from its frame.
import { html } from "preact";
import { lengthWords } from "rr/mafia/words";
import { Dots } from "rr/lobby-list";

/** What each filter lets through; the names stand on the page's buttons. */
export const FILTERS = {
  all: () => true,
  seat: (game) => game.status === "open" && game.players.length < game.seats,
  quick: (game) => game.phase_seconds <= 600,
  slow: (game) => game.phase_seconds > 600,
  running: (game) => game.status === "running",
};

export const COLUMNS = ["Town", "Seats", { right: "A phase" }, { right: "Living" }];
export const NONE = "No game of this kind at the moment.";

/** "waiting for players", "Night 2". */
export function stateLine(game) {
  if (game.status === "open") return "waiting for players";
  return `${game.stage === "night" ? "night" : "day"} ${game.round}`;
}

/** The word on the button and whether it is the one thing to press. */
export function invitationTo(game, own) {
  if (game.players.some((player) => player.name === own)) return { word: "Back to it", brass: false };
  if (FILTERS.seat(game)) return { word: "Join", brass: true };
  return { word: game.spectators ? "Watch" : "Open", brass: false };
}

/** own: the name of whoever looks, empty for guests. */
export function row(game, own) {
  const { word, brass } = invitationTo(game, own);
  return html`<tr key=${game.public_id}>
    <th scope="row"><a href=${game.url}>${game.title}</a><small>${stateLine(game)}</small></th>
    <td data-label="Seats"><span class="seats-cell"><${Dots} taken=${game.players.length} seats=${game.seats} /></span></td>
    <td data-label="A phase" class="right">${lengthWords(game.phase_seconds)}</td>
    <td data-label="Living" class="num right">${game.status === "running" ? game.living : "–"}</td>
    <td class="row-end"><a class=${brass ? "btn btn-brass" : "btn"} href=${game.url}>${word}<span class="sr">: ${game.title}</span></a></td>
  </tr>`;
}
