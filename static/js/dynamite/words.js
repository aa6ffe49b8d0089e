// What a view of Dynamite Town means, in words and in small decisions. Pure: no page, no socket.
import { callName, nameOf } from "rr/board/seats";
import { idleTaskOf, isRunning, may, ownVote, quietPhaseOf, roomsOf as townRoomsOf, tallyOf } from "rr/mafia/game";
import { listed } from "rr/mafia/words";

export const EXPLODES_AT = 3;
const PRICE = 2;

export const TEAMS = {
  rock: { word: "Rock", card: "Rock Mafioso", mafia: "Rock Mafia", prey: "scissors", about: "The most stable mafia of all. You win when every member of the Scissors Mafia is dead." },
  paper: { word: "Paper", card: "Paper Mafioso", mafia: "Paper Mafia", prey: "rock", about: "The most flexible mafia of all. You win when every member of the Rock Mafia is dead." },
  scissors: { word: "Scissors", card: "Scissors Mafioso", mafia: "Scissors Mafia", prey: "paper", about: "The sharpest mafia of all. You win when every member of the Paper Mafia is dead." },
  dynamite: { word: "Dynamite", card: "Dynamite Townie", mafia: "Dynamite Town", prey: null, about: "The toughest of all townies: no confrontation kills you, too many votes do. You win if you live to the end." },
};

const CAUSES = {
  stapler: () => "killed by a rampaging stapler",
  explosion: () => "exploded",
  confronted: (team) => `confronted by the ${TEAMS[hunterOf(team)]?.mafia ?? "stronger mafia"}`,
  townie: () => "confronted a townie",
  left: () => "left town",
};

/** The mafia to which a team is vulnerable. */
export function hunterOf(team) {
  return Object.keys(TEAMS).find((other) => TEAMS[other].prey === team);
}

/** Everything that killed a player: "exploded and killed by a rampaging stapler". */
export function causeWords({ causes, team }) {
  return listed(causes.map((cause) => CAUSES[cause]?.(team) ?? cause));
}

/** Whether the game wants something of the viewer now: a vote, a check-in. */
export function isMyMove(view) {
  const own = view.game?.you;
  if (!isRunning(view) || !own?.is_alive || own.is_leaving) return false;
  return view.game.stage === "day" ? ownVote(view) === null : !own.is_done;
}

/** What the viewer has pressed on the grid: the vote of the day, the target of the night. */
export function ownChoice(view) {
  return view.game.stage === "day" ? ownVote(view) : (view.game.you?.target ?? null);
}

/** The kind of action that a press on a player is now; null where it means nothing. */
export function pressKind(view) {
  if (may(view, "confront")) return "confront";
  return may(view, "vote") ? "vote" : null;
}

/** Whether a press on this player means something: nobody votes for oneself, or confronts a mate. */
export function canPress(view, player) {
  const kind = pressKind(view);
  if (!player.is_alive || kind === null || player.no === view.you.seat) return false;
  return kind === "vote" || !view.game.you.mates.includes(player.no);
}

/** The team of a player as far as the viewer knows it. */
export function teamOf(view, player) {
  const own = view.game.you;
  if (player.team) return player.team;
  if (!own) return null;
  return player.no === view.you.seat || own.mates?.includes(player.no) ? own.team : null;
}

export function votesOf(view, no) {
  return tallyOf(view.game).get(no) ?? 0;
}

/** {stage, title, note} of the header. */
export function phaseOf(view) {
  const { game } = view;
  const quiet = quietPhaseOf(view);
  if (quiet) return quiet;
  if (game.stage === "over") return { stage: "over", title: "The game is over", note: endingOf(game).reason };
  const note = game.stage === "day" ? "It ends when all who live have voted and are done. Whoever has no vote then meets the stapler." : "It ends when its time is over, or a while after all who live are done.";
  return { stage: game.stage, title: `${game.stage === "day" ? "Day" : "Night"} ${game.round}`, note: `${note}${quietNote(game)}` };
}

/** Says that a draw is near. */
function quietNote(game) {
  return game.quiet_phases >= game.quiet_limit - 2 && game.quiet_phases > 0 ? ` ${game.quiet_phases} of ${game.quiet_limit} days and nights without a death: then it is a draw.` : "";
}

/** Who died at the last change of phase: the players, in seat order. */
export function latestDead(game) {
  const last = game.stage === "day" ? game.last_night : game.last_day;
  return game.seats.filter(({ no }) => last?.died.includes(no));
}

/** What became known at the last change of phase, in a line. */
export function newsOf(view) {
  const { game } = view;
  if (game.stage === "day" && !game.last_night) return "Three mafias, one town, and nobody knows who is who.";
  const dead = latestDead(game);
  const when = game.stage === "day" ? "last night" : "at the end of the day";
  if (!dead.length) return `Nobody died ${when}.`;
  return `${listed(dead.map(({ no }) => callName(view, no)))} died ${when}.`;
}

/** What the card asks of the viewer now: {heading, words}. */
export function taskOf(view) {
  const { game } = view;
  const own = game.you;
  const idle = idleTaskOf(view);
  if (idle) return idle;
  if (own.is_leaving) return { heading: "You have left", words: "You act no more, and are dead to the town when this phase ends." };
  if (game.stage === "day") return dayTask(view);
  if (own.danger !== null) return { heading: "Nothing to do tonight", words: "Townies are tough: nobody can kill you at night. Press Done: everybody who lives has the same button, so it tells nothing." };
  return nightTask(view);
}

function dayTask(view) {
  const vote = ownVote(view);
  if (vote === null) return { heading: "Shake somebody: vote", words: "Press a player. A vote feeds a mafia, and brings a townie closer to exploding. Without a vote at the end of the day you die." };
  const rest = view.game.you.is_done ? "Another vote takes your Done back." : "It is public and can be changed. Press Done when you will not.";
  return { heading: `You vote for ${nameOf(view, vote)}`, words: rest };
}

function nightTask(view) {
  const own = view.game.you;
  if (own.target !== null) return { heading: `You confront ${nameOf(view, own.target)}`, words: "Press somebody else to turn on them, or the same one again to withdraw." };
  if (may(view, "confront")) return { heading: "Confront somebody?", words: `It costs ${PRICE} of your team's points. Your prey dies; a townie kills you; whoever hunts you never notices.` };
  return { heading: "Your team has too few points", words: `A confrontation costs ${PRICE} that are not reserved. Votes for any of you bring points, and so do your dead. Press Done.` };
}

/** The headline of an ending and why it came. */
export function endingOf({ result }) {
  if (!result || result.reason === "void") return { headline: "Called off", reason: "The game ended as if it had not been." };
  if (!result.teams.length) return { headline: "A draw", reason: "Nobody has died for too long. The townies who live have won." };
  const names = listed(result.teams.map((team) => TEAMS[team].mafia));
  const prey = listed(result.teams.map((team) => TEAMS[TEAMS[team].prey].mafia));
  return { headline: `${names} ${result.teams.length === 1 ? "wins" : "win"}`, reason: `Dead to the last: ${prey}. Townies who live win, too.` };
}

/** Whether the viewer has won; null for those who did not play. */
export function hasWon(view) {
  if (!view.game?.you || !view.game.result || view.game.result.reason === "void") return null;
  return view.game.result.winners.includes(view.you.seat);
}

/** What the viewer did at night, as sentences, the newest last. */
export function ownLines(view) {
  return (view.game.you?.nights ?? []).map(([round, seat]) => `Night ${round}: you confronted ${nameOf(view, seat)}.`);
}

/** The confrontations that the own team has declared tonight, as sentences. */
export function planLines(view) {
  return (view.game.you?.confrontations ?? []).map(([attacker, target]) => `${callName(view, attacker)} → ${nameOf(view, target)}`);
}

function mafiaRoom(team) {
  return [`The ${TEAMS[team].mafia}`, `Only the living ${TEAMS[team].mafia} reads and posts here.`];
}

const ROOMS = Object.fromEntries(["rock", "paper", "scissors"].map((team) => [team, mafiaRoom(team)]));

/** The rooms whose posts the viewer reads, with how many there are. */
export function roomsOf(view) {
  return townRoomsOf(view, ROOMS);
}
