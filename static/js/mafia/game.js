// What the views of all Mafia games have in common, in small decisions. Pure: no page, no socket.
import { callName, nameOf } from "rr/board/seats";
import { lostSeat } from "rr/mafia/absence";

export function isRunning(view) {
  return view.match.status === "running" && Boolean(view.game) && view.game.stage !== "over";
}

export function may(view, kind) {
  return Boolean(view.game?.you?.may.includes(kind));
}

export function ownVote(view) {
  return view.game.seats.find(({ no }) => no === view.you.seat)?.vote ?? null;
}

/** Whether something of this phase shows that the viewer is here. */
export function hasActed(view) {
  const own = view.game.you;
  return (view.game.stage === "day" && ownVote(view) !== null) || Boolean(own?.is_done) || (own?.target ?? null) !== null;
}

/** Votes by choice: Map of a seat or "none" to how many. */
export function tallyOf(game) {
  return new Map(game.tally);
}

/** Who votes for a choice, by name. */
export function votersFor(view, choice) {
  return view.game.seats.filter(({ is_alive: isAlive, vote }) => isAlive && vote === choice).map(({ no }) => callName(view, no));
}

/** {stage, title, note} of the header where no night or day is: before, called off, closed; else null. */
export function quietPhaseOf({ match, game }) {
  if (match.status === "void") return { stage: "over", title: "Called off", note: match.void_reason ?? "The game ended as if it had not been." };
  if (match.status === "closed") return { stage: "before", title: "Closed", note: match.void_reason ?? "No game began at this table." };
  if (!game) return { stage: "before", title: "Waiting for players", note: "The game begins when everybody who sits is ready." };
  return null;
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

/** The card of whoever only looks on, was replaced, or is dead: {heading, words}; null for the living. */
export function idleTaskOf(view) {
  const { game, you } = view;
  const lost = game.you ? null : lostSeat(view);
  if (lost) return { heading: "You were replaced", words: `${nameOf(view, lost.no)} plays your seat from here on. You see what everybody sees, and say nothing here before the end.` };
  if (!game.you) return { heading: "You are watching", words: you.name === null ? "Log in to sit down at another game." : "You see what everybody sees. Spectators talk in the chat; the town does not hear them." };
  if (!game.you.is_alive) return { heading: "You are dead", words: "You keep what you knew. The dead talk in the graveyard, which neither the living nor spectators read. All is told at the end." };
  return null;
}
