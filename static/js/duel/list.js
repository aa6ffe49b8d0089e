// The rows of duels in the lobby, drawn from its frame.
import { html } from "preact";
import { lengthWords } from "rr/board/wording";
import { Dots } from "rr/lobby-list";

/** The filters by the names on the page's buttons. */
export const FILTERS = {
  all: () => true,
  seat: (duel) => duel.status === "open" && duel.players.length < 2,
  free: (duel) => duel.stake === 0,
  staked: (duel) => duel.stake > 0,
  running: (duel) => duel.status === "running",
};

export const COLUMNS = ["Duel", "Seats", { right: "Best of" }, { right: "Stake" }, { right: "Rated" }];
export const NONE = "No duels like this right now.";

function nameWord({ name, bot }) {
  return bot ? `${name} (bot)` : name;
}

/** "ann vs bob", "ann, waiting". */
export function playersLine(duel) {
  const names = duel.players.map(nameWord);
  if (names.length === 2) return names.join(" vs ");
  return names.length ? `${names[0]} waits for an opponent` : duel.title;
}

export function stateLine(duel) {
  const ties = duel.no_ties ? "ties again" : "ties count";
  const clock = `${lengthWords(duel.clock_seconds)} per throw`;
  if (duel.status === "open") return `waiting · ${ties} · ${clock}`;
  const score = duel.wins.join(" : ");
  return duel.suspended ? `suspended · ${score}` : `throw ${duel.throw} · ${score} · ${clock}`;
}

/** The word on the button and whether it is the one thing to press. */
export function invitationTo(duel, own) {
  if (duel.players.some((player) => player.name === own)) return { word: "Continue", brass: false };
  if (FILTERS.seat(duel)) return { word: "Play", brass: true };
  return { word: duel.spectators ? "Watch" : "Open", brass: false };
}

/** own: the viewer's name, empty for guests. */
export function row(duel, own) {
  const { word, brass } = invitationTo(duel, own);
  const { url } = duel;
  return html`<tr key=${duel.public_id}>
    <th scope="row"><a href=${url}>${playersLine(duel)}</a><small>${stateLine(duel)}</small></th>
    <td data-label="Seats"><span class="seats-cell"><${Dots} taken=${duel.players.length} seats=${2} /></span></td>
    <td data-label="Best of" class="num right">${duel.best_of}</td>
    <td data-label="Stake" class="num right">${duel.stake || "–"}</td>
    <td data-label="Rated" class="right">${duel.rated ? "yes" : "no"}</td>
    <td class="row-end"><a class=${brass ? "btn btn-brass" : "btn"} href=${url}>${word}<span class="sr">: ${playersLine(duel)}</span></a></td>
  </tr>`;
}
