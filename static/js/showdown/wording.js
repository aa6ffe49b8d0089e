// Sentences about a round and an ending, out of the view's own numbers. Pure.
import { callName, nameOf } from "rr/board/seats";
import { title, withArticle } from "rr/showdown/lore";

/** Words as a list in a sentence. */
export function list(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function wins(count) {
  return count === 1 ? "1 win" : `${count} wins`;
}


function mineLine(view, mine, count) {
  const name = callName(view, mine.seat);
  const steps = name === "You" ? "You step" : `${name} steps`;
  const where = mine.count ? (mine.count === 1 ? "on the mine laid there" : `on the ${mine.count} mines laid there`) : "on a stray land mine";
  return `All level at ${wins(count)}: a land mine decides. ${steps} ${where}; everyone else scores 1.`;
}

/** A line for the viewer alone about what others are not told; null for anything else. */
export function doneLine({ kind, target, weapon }, view) {
  if (kind === "mine") return `You planted a mine under ${nameOf(view, target)}. Only you know.`;
  if (kind === "add") return `You brought in ${withArticle(weapon)}. The others only know that you brought something.`;
  return null;
}

/** One battle in a line, from the viewer's side where it is the viewer's. */
export function battleLine(view, battle) {
  const [a, b] = [callName(view, battle.a), callName(view, battle.b)];
  if (battle.winner === null) return `${a === "You" || b === "You" ? `You and ${a === "You" ? b : a}` : `${a} and ${b}`} draw`;
  const [winner, loser] = battle.winner === battle.a ? [a, b] : [b, a];
  if (winner === "You") return `You beat ${loser}`;
  return `${winner} beats ${loser === "You" ? "you" : loser}`;
}

/** How a battle stands for the viewer: won, lost, drawn, or somebody else's. */
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

/** Why the points of a round went where they went. */
export function scoreLine(view, round) {
  const counts = Object.entries(round.wins).map(([no, count]) => [Number(no), count]);
  const most = Math.max(...counts.map(([, count]) => count));
  if (round.mine) return mineLine(view, round.mine, most);
  const best = counts.filter(([, count]) => count === most).map(([no]) => callName(view, no));
  if (best.length === 1) return `${best[0]} ${best[0] === "You" ? "win" : "wins"} the round outright with ${wins(most)}: 2 victory points.`;
  return `${list(best)} tie for the most with ${wins(most)} each: 1 victory point each.`;
}

const REASONS = {
  target: "The target is reached.",
  folds: "Everyone else folded.",
  last_left: "Everyone else gave up.",
  all_gave_up: "Everybody gave up; the points so far decide.",
};

/** The headline of an ending. */
export function endingLine(view) {
  const { winners, reason } = view.game.result;
  const names = winners.map((no) => callName(view, no));
  const wins = names.length > 1 || names[0] === "You" ? "win" : "wins";
  return { headline: names.length ? `${list(names)} ${wins}` : "Nobody wins", reason: REASONS[reason] ?? reason };
}
