// The common part of the views of all Mafia games, in words and in small decisions. Pure: no page, no socket.
import { wordsOf } from "rr/board/said";
import { callName, nameOf } from "rr/board/seats";
import { capital } from "rr/board/wording";
import { lostSeat } from "rr/mafia/absence";

export const { called_off: CALLED_OFF, options: LABELS, votes: VOTES, no_vote: NO_VOTE } = wordsOf("mafia");
const { grid: GRID, parts: PARTS } = wordsOf("mafia");

/** An instant in words, with its day if it is not within hours; left: milliseconds until then. */
export function clockWords(at, left) {
  const isNear = left < 20 * 3_600_000;
  return new Date(at).toLocaleString([], { ...(isNear ? {} : { weekday: "short", day: "numeric", month: "short" }), hour: "2-digit", minute: "2-digit" });
}

/** Milliseconds to the next moment at which a night can end early; null if only its time is left. */
export function earliestIn(left, limit) {
  const grid = Math.max(1, Math.min(GRID, Math.floor(limit / PARTS)));
  const since = limit - left;
  const next = (Math.floor(since / grid) + 1) * grid - since;
  return since < 0 || next >= left ? null : next;
}

export function isRunning(view) {
  return view.match.status === "running" && Boolean(view.game) && view.game.stage !== "over";
}

export function may(view, kind) {
  return Boolean(view.game?.you?.may.includes(kind));
}

export function ownVote(view) {
  return view.game.seats.find(({ no }) => no === view.you.seat)?.vote ?? null;
}

/** The viewer's current choice: the vote of the day, the choice of the night. */
export function ownChoice(view) {
  return view.game.stage === "day" ? ownVote(view) : (view.game.you?.target ?? null);
}

/** The kind of action that a press on a player is now; null where it means nothing. */
export function pressKind(view) {
  return ["choose", "confront", "vote"].find((kind) => may(view, kind)) ?? null;
}

/** Whether the game waits for the viewer: for a vote by day, for a check-in by night. */
export function isMyMove(view) {
  const own = view.game?.you;
  if (!isRunning(view) || !own?.is_alive || own.is_leaving) return false;
  return view.game.stage === "day" ? ownVote(view) === null : !own.is_done;
}

/** Whether the viewer could choose somebody tonight, and has not. */
export function isUnchosen(view) {
  return view.game.stage === "night" && ["choose", "confront"].some((kind) => may(view, kind)) && ownChoice(view) === null;
}

/** Whether something of this phase shows that the viewer is here. */
export function hasActed(view) {
  return Boolean(view.game.you?.is_done) || ownChoice(view) !== null;
}

/** The number of the last night or day; the end is a phase of its own. */
export function lastPhase({ phase, game }) {
  return game.stage === "over" ? phase - 1 : phase;
}

/** Votes by choice: Map of a seat or "none" to their number. */
export function tallyOf(game) {
  return new Map(game.tally);
}

/** The choices with most votes, and how many: {choices, votes}; null before the first vote. */
export function leadersOf({ tally }) {
  if (!tally.length) return null;
  const [[, votes]] = tally;
  return { choices: tally.filter(([, count]) => count === votes).map(([choice]) => choice), votes };
}

/** The names of those who vote for a choice. */
export function votersFor(view, choice) {
  return view.game.seats.filter(({ is_alive: isAlive, vote }) => isAlive && vote === choice).map(({ no }) => callName(view, no));
}

/** {stage, title, note} of the header, which a game that is over has not; noteOf(game) describes the end of the phase. */
export function phaseOf({ match, game, begins_at: beginsAt }, noteOf) {
  if (match.status === "void" || game?.stage === "over") return { stage: "over" };
  if (match.status === "closed") return { stage: "before", title: "Closed", note: match.void_reason ?? "No game began at this table." };
  if (!game) return { stage: "before", title: "Waiting for players", note: beginsAt ? "The game begins at its appointed time." : "The game begins when everybody who sits is ready." };
  return { stage: game.stage, title: `${capital(game.stage)} ${game.round}`, note: match.stalled ? "" : noteOf(game) };
}

const ROOMS = {
  town: ["The town", "Everybody reads this. The living post by day."],
  dead: ["The graveyard", "Only the dead read and post here."],
};

/** The rooms whose posts the viewer reads, with how many there are; own: a game's own rooms, name -> [word, about]. */
export function roomsOf(view, own) {
  const { game } = view;
  const words = { ...ROOMS, ...own };
  const rooms = game.you?.rooms ?? [{ room: "town", lines: game.town_lines, may_post: false }];
  return rooms.map(({ room, lines, may_post: mayPost }) => {
    const [word, about] = words[room] ?? [room, ""];
    return { room, word, lines, mayPost, about: isRunning(view) ? about : "" };
  });
}

/** The card of a spectator, of somebody who was replaced, or of the dead: {heading, words}; null for the living. */
export function idleTaskOf(view) {
  const { game, you } = view;
  const lost = game.you ? null : lostSeat(view);
  if (lost) return { heading: "You were replaced", words: `${nameOf(view, lost.no)} plays your seat from now on. You see what everybody sees, and say nothing here before the end.` };
  if (!game.you) return { heading: "You are watching", words: you.name ? "You see what everybody sees. Spectators talk in the chat; the town does not hear them." : "You see what everybody sees." };
  if (!game.you.is_alive) return { heading: "You are dead", words: "You keep what you knew. The dead talk in the graveyard, which neither the living nor spectators read. All is told at the end." };
  return null;
}

/** Whether the viewer has left town, which is always a loss. */
export function hasLeft({ game, you }) {
  const { cause, causes = [cause] } = game.seats.find(({ no }) => no === you.seat) ?? {};
  return causes.includes("left");
}
