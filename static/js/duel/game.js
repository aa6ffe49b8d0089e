// A duel's view in small decisions. Pure: no page, no socket.

/** The last throw that was turned over, with its number; null before the first throw. */
export function latest(game) {
  const thrown = game?.throws?.at(-1);
  return thrown ? { ...thrown, number: thrown.throw } : null;
}

/** Whether the cards of the throw on show are still being turned over: nothing tells its result before. */
export function isTurning(reveal) {
  return Boolean(reveal) && !reveal.isTurned;
}

/** The seats as they stand on the board: the viewer's on the left. */
export function sidesOf(view) {
  return view.you.seat === 1 ? [1, 0] : [0, 1];
}

/** The name of the player who accepted the viewer's challenge; null before that, and once it runs. */
export function acceptedBy({ match, you, seats }) {
  const isMine = match.challenge && match.challenge.from === you.name;
  return isMine && seats.some((seat) => seat.player?.name === match.challenge.to) ? match.challenge.to : null;
}

/** Whether readiness here is for any opponent, while the page is looked at. */
export function isOnCall({ match, you }) {
  return match.status === "open" && Boolean(match.options.quick) && you.seat !== null;
}

/** The name of the opponent who has come to the viewer's quick duel; null while nobody has. */
export function cameTo(view) {
  return (isOnCall(view) && view.seats[1 - view.you.seat].player?.name) || null;
}

/** Whether the viewer of a quick duel has to press: somebody has come, or the last press is too old. */
export function isAsked(view) {
  return isOnCall(view) && !view.seats[view.you.seat].ready;
}

/** The least length of a duel in which a throw may be chosen before its time. */
const LONG = 21;

/** Whether the viewer may choose the next throw now: the hand for this one is in. */
export function mayChooseAhead({ game }) {
  return game?.stage === "throwing" && game.best_of >= LONG && Boolean(game.you?.hand);
}

/** Whether a throw that was chosen in an earlier phase goes out: at once after one that counted. */
export function isNext({ game, phase }, ahead) {
  return phase === ahead.phase + 1 && Boolean(game?.throws.at(-1)?.counted);
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

/** The seats that have asked to suspend. */
export function askers(view) {
  return (view.game?.seats ?? []).filter((seat) => seat.asks_suspension).map((seat) => seat.no);
}

/** The points of a duel: both stakes, the tax on them, and the rest for the winner. */
export function moneyOf({ stake, tax_bp: taxBp = 0 }) {
  const pot = 2 * stake;
  const tax = Math.floor((pot * taxBp) / 10_000);
  return { stake, pot, tax, prize: pot - tax };
}
