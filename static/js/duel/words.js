// What a duel's view means, in words and in small decisions.  Pure: no page, no socket.
import { callName, nameOf } from "rr/board/seats";
import { beating, title } from "rr/duel/hands";

/** What was turned over last, with its number; null before the first throw. */
export function latest(game) {
  const thrown = game?.throws?.at(-1);
  return thrown ? { ...thrown, number: thrown.throw } : null;
}

/** The seats as they stand on the board: one's own on the left. */
export function sidesOf(view) {
  return view.you.seat === 1 ? [1, 0] : [0, 1];
}

/** "ann vs bob" once both are there, else the table's name. */
export function titleOf(view) {
  const names = sidesOf(view).map((no) => view.seats[no]?.player?.name);
  return names.every(Boolean) ? names.join(" vs ") : view.match.title;
}

/** Whether a duel that would count for the rating does not, because of a bot. */
export function isUnratedForBot({ match, seats }) {
  return Boolean(match.options.rated) && seats.some((seat) => seat.player?.bot);
}

/** Whether the clock waits for the viewer's own hand. */
export function isMyMove(view) {
  return view.game?.stage === "throwing" && Boolean(view.game.you?.legal.includes("throw"));
}

export function isRunning(view) {
  return Boolean(view.game) && view.game.stage !== "over" && view.match.status === "running";
}

/** The two hands of a throw in the words of its battle: "Paper covers Rock". */
export function battleLine(thrown) {
  const { hands, winners } = thrown;
  if (!hands[0] && !hands[1]) return "Nobody threw";
  if (winners.length !== 1) return `${title(hands[0])} meets ${title(hands[1])}`;
  const [best, other] = [hands[winners[0]], hands[1 - winners[0]]];
  return other ? beating(best, other) : `${title(best)} against an empty hand`;
}

/** Who got what for a throw. */
export function verdict(view, thrown) {
  if (!thrown.counted) return view.game.result ? "It did not count" : "It does not count: throw again";
  if (thrown.winners.length === 2) return "A win for both";
  const name = callName(view, thrown.winners[0]);
  return name === "You" ? "You win the throw" : `${name} wins the throw`;
}

/** "2 : 1", the own or the first seat's wins first. */
export function scoreOf(view) {
  return sidesOf(view).map((no) => view.game.seats[no].wins).join(" : ");
}

function list(seats, view) {
  return seats.map((no) => nameOf(view, no)).join(" and ");
}

const REASONS = {
  wins: "That is the deciding win.",
  draw: "Both got the deciding win on the same throw.",
  resigned: "The other side resigned.",
  suspension: "Only one player came back after the suspension.",
  abandoned: "Too many throws in a row did not count. All stakes went back untaxed.",
};

/** The result as a headline tells it, the winner's wins first; empty where they did not decide. */
export function finalScore(view) {
  if (!["wins", "draw"].includes(view.game.result.reason)) return "";
  const wins = view.game.seats.map((seat) => seat.wins);
  return view.game.result.winners[0] === 1 ? `${wins[1]} : ${wins[0]}` : `${wins[0]} : ${wins[1]}`;
}

/** The headline of an ending and why it came. */
export function endingOf(view) {
  const { winners, reason } = view.game.result;
  const words = REASONS[reason] ?? reason;
  if (winners.length !== 1) return { headline: reason === "abandoned" ? "Called a day: nobody wins" : "A draw", reason: words };
  const name = callName(view, winners[0]);
  return { headline: name === "You" ? "You win" : `${name} wins`, reason: words };
}

/** What is played for: both stakes, the tax on them, and what is left for the winner. */
export function moneyOf({ stake, tax_bp: taxBp = 0 }) {
  const pot = 2 * stake;
  const tax = Math.floor((pot * taxBp) / 10_000);
  return { stake, pot, tax, prize: pot - tax };
}

/** A span of a clock as people say it: "30 s", "5 min", "1 day". */
export function clockWords(seconds) {
  const units = [[86_400, "day"], [3600, "h"], [60, "min"], [1, "s"]];
  const [size, word] = units.find(([one]) => seconds % one === 0 && seconds >= one) ?? [1, "s"];
  const count = seconds / size;
  return `${count} ${word}${word === "day" && count !== 1 ? "s" : ""}`;
}

/** A long span, coarse: "6 days 3 h", "3 h 20 min", "12 min". */
export function spanWords(ms) {
  const minutes = Math.ceil(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days) return `${days} ${days === 1 ? "day" : "days"}${hours ? ` ${hours} h` : ""}`;
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
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
  if (game.stage === "suspended") return seat.is_back ? "Ready to go on" : "Away";
  return seat.hand_in ? "Hand is in" : "Choosing…";
}

/** Who has asked to suspend: [] or seats. */
export function askers(view) {
  return (view.game?.seats ?? []).filter((seat) => seat.asks_suspension).map((seat) => seat.no);
}

/** What the middle of the board says about the duel as a whole. */
export function stageLine(view) {
  const { game } = view;
  if (game.stage === "over") return "";
  const score = game.best_of === 1 ? "one win decides" : `first to ${game.wins_needed}`;
  return `Throw ${game.throw} · ${score}`;
}

export function waitingLine(view) {
  const missing = view.game.seats.filter((seat) => !seat.hand_in).map((seat) => seat.no);
  return missing.length ? `${list(missing, view)} ${missing.length > 1 ? "are" : "is"} choosing` : "";
}

/** The configuration as pairs of words; whether it is rated follows from who plays as well. */
export function optionRows({ options, rated }) {
  const { stake } = options;
  return [
    ["Best of", options.best_of],
    ["Ties", options.no_ties ? "throw again" : "a win for both"],
    ["Clock a throw", clockWords(options.clock_seconds)],
    ["Stake", stake ? `${stake} each` : "none"],
    ["Counts", rated ? "rated" : "not rated"],
    ["Who may come", options.listed ? "anybody" : "by link only"],
    ["Spectators", options.spectators ? "welcome" : "no"],
  ];
}
