// The votes of a day at any moment: wagons, their text, and votes between posts. Pure.
import { siteNow } from "rr/board/clock";

/** "14:02", with the day where it is not today's. */
export function timeWords(at) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(siteNow()).toDateString();
  return date.toLocaleString([], { ...(isToday ? {} : { day: "numeric", month: "short" }), hour: "2-digit", minute: "2-digit" });
}

/** The number of changes that a finished day shows at first: those before the deaths of its end. */
export function lastVote(day) {
  if (!day.is_over) return day.cast.length;
  let count = day.cast.length;
  while (count && day.cast[count - 1].is_death) count -= 1;
  return count;
}

/**
 * The day after its first `count` changes: {wagons: [{choice, voters: [change]}], silent: [seat], living, needed}.
 * Wagons are the largest first, of equal ones the one that stood first; voters stand in their order.
 */
export function wagonsAt(day, count) {
  const votes = new Map(); // in the order of the votes that stand
  let living = [...day.living];
  let needed = day.needed;
  for (const change of day.cast.slice(0, count)) {
    votes.delete(change.seat);
    if (change.is_death) living = living.filter((seat) => seat !== change.seat);
    else if (change.choice !== null) votes.set(change.seat, change);
    needed = change.needed;
  }
  const wagons = new Map();
  for (const change of votes.values()) wagons.set(change.choice, [...(wagons.get(change.choice) ?? []), change]);
  return {
    wagons: [...wagons].map(([choice, voters]) => ({ choice, voters })).sort((one, other) => other.voters.length - one.voters.length),
    silent: living.filter((seat) => !votes.has(seat)),
    living,
    needed,
  };
}

/** "3 of 4", or "3" where votes decide nothing before the day's end. */
export function countWords(number, needed) {
  return needed === null ? String(number) : `${number} of ${needed}`;
}

/** The wagons as plain text. name(choice) is a word for a seat or for nobody. */
export function wagonText(title, { wagons, silent, living, needed }, name) {
  const voter = ({ seat, after, at }) => `${name(seat)} (${after ? `#${after}, ` : ""}${timeWords(at)})`;
  const lines = wagons.map(({ choice, voters }) => `${name(choice)} (${countWords(voters.length, needed)}): ${voters.map(voter).join(", ")}`);
  if (silent.length) lines.push(`Not voting (${silent.length}): ${silent.map(name).join(", ")}`);
  if (needed !== null) lines.push(`${living.length} alive, ${needed} votes decide.`);
  return [title, ...lines].join("\n");
}

/** The phase of a day: its round is two phases, the first of them a `first`. */
export function phaseOf(round, first) {
  return first === "day" ? 2 * round - 1 : 2 * round;
}

/** All changes of all days in order, each with its phase, its key, and the size of its wagon then. */
export function changesOf(days, first) {
  return days.flatMap((day) => day.cast.map((change, place) => {
    const { wagons, needed } = wagonsAt(day, place + 1);
    const size = wagons.find(({ choice }) => choice === change.choice)?.voters.length ?? 0;
    return { ...change, needed, size, phase: phaseOf(day.round, first), key: `vote-${day.round}-${place}` };
  })).filter((change) => !change.is_death);
}

/**
 * Posts with the votes between them, as {post} and {change}; from: the first post that was read, the
 * votes before it wait for the posts around them.
 */
export function withVotes(posts, changes, from) {
  const items = [];
  const rest = changes.filter((change) => from <= 1 || change.after >= from);
  for (const post of posts) {
    while (rest.length && rest[0].after < post.no) items.push({ change: rest.shift() });
    items.push({ post });
  }
  return [...items, ...rest.map((change) => ({ change }))];
}
