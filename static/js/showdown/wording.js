// Sentences about a round and an ending, out of the view's own numbers. Pure.
import { callName } from "rr/board/seats";

function list(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function battles(count) {
  return count === 1 ? "1 battle" : `${count} battles`;
}

function has(name) {
  return name === "You" ? "You have" : `${name} has`;
}

function mineLine(view, mine, count) {
  const name = callName(view, mine.seat);
  const steps = name === "You" ? "You step" : `${name} steps`;
  const where = mine.count ? (mine.count === 1 ? "on the mine laid there" : `on the ${mine.count} mines laid there`) : "on a stray land mine";
  return `All won ${battles(count)}: a land mine decides. ${steps} ${where}; everyone else gets 1.`;
}

/** Why the points of a round went where they went. */
export function scoreLine(view, round) {
  const wins = Object.entries(round.wins).map(([no, count]) => [Number(no), count]);
  const most = Math.max(...wins.map(([, count]) => count));
  if (round.mine) return mineLine(view, round.mine, most);
  const best = wins.filter(([, count]) => count === most).map(([no]) => callName(view, no));
  if (best.length === 1) return `${has(best[0])} the most wins alone (${battles(most)}): 2 victory points.`;
  return `${list(best)} share the most wins (${battles(most)} each): 1 victory point each.`;
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
