// What a town's view means, in words and in small decisions. Pure: no page, no socket.
import { callName, nameOf } from "rr/board/seats";
import { idleTaskOf, isRunning, may, ownVote, quietPhaseOf, roomsOf as townRoomsOf, tallyOf } from "rr/mafia/game";
import { listed } from "rr/mafia/words";

export const NOBODY = "none";

export const ROLES = {
  citizen: { word: "Ordinary citizen", icon: "user", side: "town", about: "No night action. Watch, talk, vote." },
  doctor: { word: "Doctor", icon: "plus", side: "town", about: "Each night, save one citizen from the mafia, or nobody." },
  sheriff: { word: "Sheriff", icon: "book-open", side: "town", about: "Each night, look into the file on one citizen. At daybreak it says MAFIA or NOT MAFIA." },
  detective: { word: "Detective", icon: "eye", side: "town", about: "You learn in private the role of everybody who dies. No night action." },
  mafioso: { word: "Mafioso", icon: "mask", side: "mafia", about: "Each night the mafia kills one citizen, or nobody. The last choice of any mafioso stands." },
  agent: { word: "Agent of the mafia", icon: "mask", side: "mafia", about: "Each night, turn round the file on one citizen, or none: the sheriff then reads the opposite." },
};

const ASKS = {
  doctor: "Whom do you save tonight?",
  sheriff: "Whose file do you read tonight?",
  mafioso: "Whom does the mafia kill tonight?",
  agent: "Whose file do you turn round tonight?",
};

const ACTIONS = { doctor: "saved", sheriff: "read the file on", mafioso: "chose for the mafia:", agent: "turned round the file on" };
const CAUSES = { killed: "killed in night", lynched: "lynched on day", left: "left town in round" };

export function roleWord(role) {
  return ROLES[role]?.word ?? role;
}

/** Whether the game wants something of the viewer now: a choice, a check-in, a first vote. */
export function isMyMove(view) {
  if (!isRunning(view) || !view.game.you?.is_alive) return false;
  if (view.game.stage === "night") return !view.game.you.is_done;
  return ownVote(view) === null;
}

/** What the viewer has pressed on the grid: the vote of the day, the choice of the night. */
export function ownChoice(view) {
  return view.game.stage === "day" ? ownVote(view) : (view.game.you?.target ?? null);
}

/** The kind of action that a press on a citizen is now; null where it means nothing. */
export function pressKind(view) {
  if (may(view, "choose")) return "choose";
  return may(view, "vote") ? "vote" : null;
}

export function choiceName(view, choice) {
  if (choice === NOBODY) return "nobody";
  return choice === view.you.seat ? "yourself" : nameOf(view, choice);
}

/** Whether one more vote would carry a choice. */
export function isLast(game, choice) {
  return (tallyOf(game).get(choice) ?? 0) === game.needed - 1;
}

/** What became of a citizen, empty for the living. */
export function fateOf(citizen) {
  if (citizen.is_alive) return "";
  return `${CAUSES[citizen.cause] ?? citizen.cause} ${citizen.died_round}`;
}

/** {stage, title, note} of the header. */
export function phaseOf(view) {
  const { game } = view;
  const quiet = quietPhaseOf(view);
  if (quiet) return quiet;
  if (game.stage === "over") return { stage: "over", title: "The game is over", note: endingOf(game).reason };
  if (game.stage === "night") return { stage: "night", title: `Night ${game.round}`, note: `${nightNote(game)}${quietNote(game)}` };
  return { stage: "day", title: `Day ${game.round}`, note: `${game.needed} of ${game.living} votes for the same end the day.${quietNote(game)}` };
}

/** Says that a draw is near: twice `quiet_limit` phases without a death are one. */
function quietNote(game) {
  return game.quiet_phases >= 2 * game.quiet_limit - 2 ? " Without a death by the end of this day the game is a draw." : "";
}

function nightNote(game) {
  return game.early_end ? "It ends when its time is over, or a while after all who live are done." : "It ends when its time is over.";
}

/** What became known at the last change of phase; empty before the first. */
export function newsOf(view) {
  const { game } = view;
  if (!game || game.stage === "over") return "";
  if (game.stage === "day") {
    if (!game.last_night) return "";
    return game.last_night.killed === null ? "Nobody died last night." : `${callName(view, game.last_night.killed)} ${game.last_night.killed === view.you.seat ? "were" : "was"} killed last night.`;
  }
  if (!game.last_day) return "Nobody knows who is who but the mafia.";
  return game.last_day.lynched === null ? "Nobody was lynched today." : `${callName(view, game.last_day.lynched)} ${game.last_day.lynched === view.you.seat ? "were" : "was"} lynched today.`;
}

/** What the card asks of the viewer now: {heading, words}. */
export function taskOf(view) {
  const { game } = view;
  const own = game.you;
  const idle = idleTaskOf(view);
  if (idle) return idle;
  if (game.stage === "day") return dayTask(view);
  if (may(view, "choose")) return { heading: ASKS[own.role], words: changeWords(own) };
  if (own.role === "agent" && own.target !== null) return { heading: "Your choice is made", words: "An alteration is final for this night." };
  return { heading: "Nothing to do tonight", words: "Press Done: everybody who lives has the same button, so it tells nothing." };
}

function changeWords(own) {
  return own.role === "agent" ? "A choice is final at once, for this night." : "It can be changed until dawn.";
}

function dayTask(view) {
  const vote = ownVote(view);
  if (vote === null) return { heading: "Who is it? Vote", words: "Press a citizen, or nobody. A vote is public and can be changed until the day ends." };
  return { heading: `You vote for ${choiceName(view, vote)}`, words: "It can be changed until the day ends." };
}

const ENDINGS = {
  mafia_dead: ["The town wins", "The last of the mafia is dead."],
  mafia_equal: ["The mafia wins", "As many of the mafia live as of the town."],
  quiet: ["A draw", "Nobody has died for too long."],
  void: ["Called off", "The game ended as if it had not been."],
};

/** The headline of an ending and why it came. */
export function endingOf(game) {
  const [headline, reason] = ENDINGS[game.result?.reason] ?? ["The game is over", ""];
  return { headline, reason };
}

/** Whether the viewer is on the side that won; null for those who did not play. */
export function hasWon(view) {
  const own = view.game?.you;
  if (!own || !view.game.result?.winner) return null;
  return own.side === view.game.result.winner;
}

/** What the viewer alone has learned, as sentences, the newest last. */
export function privateLines(view) {
  const own = view.game?.you;
  if (!own) return [];
  const nights = own.nights.map(([round, choice]) => [round, 0, `Night ${round}: you ${ACTIONS[own.role] ?? "chose"} ${choiceName(view, choice)}.`]);
  const files = own.read_files.map(([round, seat, isMafia]) => [round, 1, `Night ${round}: the file on ${nameOf(view, seat)} says ${isMafia ? "MAFIA" : "NOT MAFIA"}.`]);
  const saved = own.saved.map((round) => [round, 2, `Night ${round}: you were attacked, and the doctor saved you.`]);
  const learned = own.learned.map(([seat, role]) => [Infinity, 3, `${nameOf(view, seat)} was: ${roleWord(role)}.`]);
  return [...nights, ...files, ...saved, ...learned].sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , line]) => line);
}

/** The others of the mafia, for whoever belongs to it: "x (Agent of the mafia)". */
export function fellows(view) {
  const own = view.game?.you;
  if (!own?.mafia) return null;
  const others = own.mafia.filter(([seat]) => seat !== view.you.seat);
  return others.length ? listed(others.map(([seat, role]) => `${nameOf(view, seat)} (${roleWord(role)})`)) : "nobody: you are alone";
}

/** How many of each role play: "3 ordinary citizens, 1 doctor". */
export function rolesLine(game) {
  return game.roles.map(([role, number]) => `${number} × ${roleWord(role).toLowerCase()}`).join(", ");
}

const ROOMS = { mafia: ["The mafia", "Only the living mafia reads and posts here."] };

/** The rooms whose posts the viewer reads, with how many there are. */
export function roomsOf(view) {
  return townRoomsOf(view, ROOMS);
}
