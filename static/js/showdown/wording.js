// Sentences about a round and an ending, out of the view's own numbers. Pure.
import { filled, wordsOf } from "rr/board/said";
import { callName, nameOf } from "rr/board/seats";
import { counted, listed } from "rr/board/wording";
import { WEAPONS } from "rr/showdown/lore";

const { endings, gone, level, secrets } = wordsOf("showdown");

function mineLine(view, mine, count) {
  const name = callName(view, mine.seat);
  const isYou = name === "You";
  const others = view.game.seats.filter((seat) => seat.no !== mine.seat);
  const only = others.length === 1 ? callName(view, others[0].no) : "Everyone else";
  const score = only === "You" ? "You score 1." : `${only} scores 1.`;
  if (!mine.count) return `${level}: ${isYou ? "you lose" : `${name} loses`} the toss. ${score}`;
  return `Dead level at ${counted(count, "win")}: ${isYou ? "you step" : `${name} steps`} on ${counted(mine.count, "mine")}. ${score}`;
}

/** A line for the viewer alone about an action that others are not told in full; null for any other. */
export function doneLine({ kind, target, weapon }, view) {
  return kind in secrets ? filled(secrets[kind], { target: nameOf(view, target), weapon: WEAPONS[weapon]?.named }) : null;
}

/** One battle in a line, from the viewer's side where it is the viewer's. */
export function battleLine(view, battle) {
  const [a, b] = [callName(view, battle.a), callName(view, battle.b)];
  if (battle.winner === null) return `${a === "You" || b === "You" ? `You and ${a === "You" ? b : a}` : `${a} and ${b}`} draw`;
  const [winner, loser] = battle.winner === battle.a ? [a, b] : [b, a];
  if (winner === "You") return `You beat ${loser}`;
  return `${winner} beats ${loser === "You" ? "you" : loser}`;
}

/** A battle's look for the viewer: won, lost, drawn, or somebody else's. */
export function battleLook({ you }, battle) {
  if (battle.a !== you.seat && battle.b !== you.seat) return "is-other";
  if (battle.winner === null) return "is-draw";
  return battle.winner === you.seat ? "is-won" : "is-lost";
}

/** A round's battles, the viewer's own first. */
export function ownFirst({ you }, battles) {
  const isOwn = ({ a, b }) => a === you.seat || b === you.seat;
  return [...battles].sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
}

/** "Round 1: you +1 VP": the viewer first. */
export function headline(view, { round, points }) {
  const scored = Object.entries(points).filter(([, count]) => count);
  scored.sort(([one], [other]) => Number(Number(other) === view.you.seat) - Number(Number(one) === view.you.seat));
  const words = scored.map(([no, count]) => `${Number(no) === view.you.seat ? "you" : callName(view, Number(no))} +${count} VP`);
  return `Round ${round}: ${words.join(", ") || "nobody scores"}`;
}

/** The score of a round and its reason. */
export function scoreLine(view, round) {
  const counts = Object.entries(round.wins).map(([no, count]) => [Number(no), count]);
  const most = Math.max(...counts.map(([, count]) => count));
  if (round.mine) return mineLine(view, round.mine, most);
  const best = counts.filter(([, count]) => count === most).map(([no]) => callName(view, no));
  if (best.length === 1) return `${best[0]} ${best[0] === "You" ? "win" : "wins"} the round outright with ${counted(most, "win")}: 2 victory points.`;
  return `${listed(best)} tie for the most with ${counted(most, "win")} each: 1 victory point each.`;
}

/** "You gave up." or "You folded.", for a viewer who is out. */
export function outWord(status) {
  return gone.last_left[status];
}

/** The reason why a rated game did not change all ratings; null if it did. */
export function ratingLine(view) {
  const { rated, old_scale: isOld } = view.match;
  if (!rated || isOld || view.game.result.reason === "void") return null;
  if (!view.game.last_round) return "No round was fought: nobody's rating changes.";
  const isUnrated = ({ no }) => view.seats.find((chair) => chair.no === no)?.rating_change == null;
  const unrated = view.game.seats.filter(isUnrated);
  const folded = unrated.filter((seat) => seat.status === "folded");
  const names = folded.map((seat) => callName(view, seat.no));
  if (folded.length < unrated.length) return "Two players change each other's rating in five games a day.";
  return folded.length ? `Not rated after a fold: ${listed(names)}.` : null;
}

/** The headline and the reason of the end. */
export function endingLine(view) {
  const { winners, reason } = view.game.result;
  const names = winners.map((no) => callName(view, no));
  const wins = names.length > 1 || names[0] === "You" ? "win" : "wins";
  const own = view.game.seats.find((seat) => seat.no === view.you.seat);
  const why = gone[reason]?.[own?.status] ?? endings[reason]; // to those who are out not as to the winner
  return { headline: names.length ? `${listed(names)} ${wins}` : "Nobody wins", reason: `${reason === "target" ? `First to ${view.game.target} VP. ` : ""}${why}` };
}
