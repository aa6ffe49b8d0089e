// A view of a duel in words. Pure: no page, no socket.
import { wordsOf } from "rr/board/said";
import { callName, nameOf } from "rr/board/seats";
import { lengthWords, listed } from "rr/board/wording";
import { sidesOf } from "rr/duel/game";

const { hands, both, endings, ties, options: labels } = wordsOf("duel");

export const HANDS = Object.keys(hands);

export function title(hand) {
  return hands[hand]?.[0] ?? "nothing";
}

/** The hand that a hand beats: "beats scissors". */
export function note(hand) {
  return hands[hand][1];
}

/** "ann vs bob" once both are there, else the table's name. */
export function titleOf(view) {
  const names = sidesOf(view).map((no) => view.seats[no]?.player?.name);
  return names.every(Boolean) ? names.join(" vs ") : view.match.title;
}

/** The two hands of a throw in the words of its battle: "Paper covers Rock". */
export function battleLine({ hands: shown, winners }) {
  if (!shown[0] && !shown[1]) return "Nobody threw";
  if (winners.length !== 1) return `${title(shown[0])} meets ${title(shown[1])}`;
  const [best, other] = [shown[winners[0]], shown[1 - winners[0]]];
  return other ? `${title(best)} ${hands[best][2]} ${title(other)}` : `${title(best)} against bare hands`;
}

/** The winner of a throw. */
export function verdict(view, thrown) {
  if (!thrown.counted && thrown.hands.includes(null)) return "Not counted";
  if (!thrown.counted) return view.game.result ? "Tie" : "Tie. Throw again.";
  if (thrown.winners.length === 2) return both;
  const name = callName(view, thrown.winners[0]);
  return `${name} ${name === "You" ? "win" : "wins"} the throw`;
}

/** "2 : 1", the own or the first seat's wins first. */
export function scoreOf(view) {
  return sidesOf(view).map((no) => view.game.seats[no].wins).join(" : ");
}

/** The result in a headline, the winner's wins first; empty where they did not decide. */
export function finalScore(view) {
  if (!["wins", "draw"].includes(view.game.result.reason)) return "";
  const wins = view.game.seats.map((seat) => seat.wins);
  return view.game.result.winners[0] === 1 ? `${wins[1]} : ${wins[0]}` : `${wins[0]} : ${wins[1]}`;
}

/** The headline and the reason of the end. */
export function endingOf(view) {
  const { winners, reason } = view.game.result;
  const name = winners.length === 1 ? callName(view, winners[0]) : "";
  const headline = name ? `${name} ${name === "You" ? "win" : "wins"}` : ["abandoned", "missed"].includes(reason) ? "Nobody wins" : "A draw";
  const who = winners.length === 1 ? callName(view, 1 - winners[0]) : "";
  return { headline, reason: endings[reason].replace("{who}", who) };
}

/** The status word under a name, never by colour alone. */
export function statusOf(view, no) {
  const chair = view.seats[no];
  if (!chair?.player) return "";
  const { game, match } = view;
  if (match.status === "void") return "Got it all back";
  if (!game) return chair.ready ? "Ready" : "Not ready";
  const seat = game.seats[no];
  if (game.result) return game.result.winners.includes(no) ? "Winner" : "";
  if (game.stage === "suspended") return seat.is_back ? "Ready to continue" : "Away";
  return seat.hand_in ? "Hand is in" : "Choosing…";
}

/** The line of a running duel in the middle of the board. */
export function stageLine({ game }) {
  if (game.stage === "over") return "";
  return `Throw ${game.throw} · ${game.best_of === 1 ? "one win decides" : `first to ${game.wins_needed}`}`;
}

/** The line of a duel that has not begun. */
export function beforeLine({ match: { status, options } }) {
  if (["void", "closed"].includes(status)) return status === "void" ? "Called off" : "Closed";
  return `${options.best_of === 1 ? "One win decides" : `Best of ${options.best_of}`} · ${ties[Number(options.no_ties)]}`;
}

export function waitingLine(view) {
  const missing = view.game.seats.filter((seat) => !seat.hand_in).map((seat) => nameOf(view, seat.no));
  return missing.length ? `${listed(missing)} ${missing.length > 1 ? "are" : "is"} choosing` : "";
}

/** The configuration as pairs of words; whether it is rated follows from who plays as well. */
export function optionRows({ options, rated }) {
  return [
    [labels.best_of, options.best_of],
    ["Ties", options.no_ties ? "throw again" : "count for both"],
    [labels.clock_seconds, lengthWords(options.clock_seconds)],
    [labels.stake, options.stake ? `${options.stake} each` : "none"],
    ["Counts", rated ? "rated" : "not rated"],
    ["Who may join", options.listed ? "anyone" : "private, link only"],
    ["Spectators", options.spectators ? "allowed" : "not allowed"],
    ["Habits", options.dossiers !== false && options.listed && options.spectators ? "counted" : "not counted"],
  ];
}
