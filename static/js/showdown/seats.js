// The places of seats around the felt, and the words under them. Pure.
import { statusWord } from "rr/showdown/lore";

/** Places clockwise from the bottom, for each number of seats. */
const PLACES = {
  1: ["bottom"],
  2: ["bottom", "top"],
  3: ["bottom", "upper-left", "upper-right"],
  4: ["bottom", "left", "top", "right"],
};

/** Place of each seat, with the viewer's (or else the first) at the bottom. */
export function placeOf(no, count, own) {
  const shift = (no - (own ?? 0) + count) % count;
  return (PLACES[count] ?? PLACES[4])[shift];
}

function bettingLine(game, seat) {
  if (seat.status === "all_in") return statusWord("all_in");
  if (game.turn === seat.no) return "To act";
  return "In";
}

function roundLine(game, seat) {
  if (seat.locked) return statusWord("locked");
  return game.you?.seat === seat.no && game.you.warned ? "Away?" : "Choosing…";
}

function gameLine(game, seat) {
  if (["folded", "gave_up"].includes(seat.status)) return statusWord(seat.status);
  if (seat.leaving) return statusWord("gave_up");
  if (game.stage === "betting") return bettingLine(game, seat);
  if (game.stage === "round") return roundLine(game, seat);
  return game.result?.winners.includes(seat.no) ? "Winner" : "Out of luck";
}

/** The status word under a seat, never by colour alone. */
export function statusLine(view, no) {
  const chair = view.seats.find((seat) => seat.no === no);
  if (!chair?.player) return "";
  const seat = view.game?.seats.find((one) => one.no === no);
  if (view.match.status === "void") return "Got it all back";
  if (seat) return gameLine(view.game, seat);
  return chair.ready ? "Ready" : "Not ready";
}

/** Whether the clock waits for this seat. */
export function isActing(view, no) {
  const game = view.game;
  if (!game || game.stage === "over") return false;
  const seat = game.seats.find((one) => one.no === no);
  if (game.stage === "betting") return game.turn === no;
  return Boolean(seat) && !seat.locked && ["in", "all_in"].includes(seat.status);
}

/** Whether it is the viewer's own move, for the title bar and the sound. */
export function isMyMove(view) {
  const own = view.you.seat;
  return own !== null && isActing(view, own) && Boolean(view.game?.you);
}
