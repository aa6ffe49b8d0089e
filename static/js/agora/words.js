// A view of Agoran Mafia in words. Pure: no page, no socket.
import { filled, wordsOf } from "rr/board/said";
import { callName, nameOf } from "rr/board/seats";
import { capital, listed } from "rr/board/wording";
import { idleTaskOf, may, ownVote, tallyOf } from "rr/mafia/game";

export const NOBODY = "none";

const { roles, night, files, fates, endings } = wordsOf("agora");

export function roleWord(role) {
  return capital(roles[role][0]);
}

export function choiceName(view, choice) {
  if (choice === NOBODY) return "nobody";
  return choice === view.you.seat ? "yourself" : nameOf(view, choice);
}

/** Whether one more vote would carry a choice. */
export function isLast(game, choice) {
  return (tallyOf(game).get(choice) ?? 0) === game.needed - 1;
}

/** The cause and the round of a death; empty for the living. */
export function fateOf(citizen) {
  return citizen.is_alive ? "" : filled(fates[citizen.cause], { round: citizen.died_round });
}

/** The end of the phase, and whether a draw is near: twice `quiet_limit` phases without a death are one. */
export function noteOf(game) {
  const draw = game.quiet_phases >= 2 * game.quiet_limit - 2 ? " Without a death by the end of this day the game is a draw." : "";
  if (game.stage === "day") return `${game.needed} of ${game.living} votes for the same end the day.${draw}`;
  return `It ends when its time is over${game.early_end ? ", or a while after all who live are done" : ""}.${draw}`;
}

/** The news of the last change of phase; empty before the first. */
export function newsOf(view) {
  const { game } = view;
  if (game.stage === "day") return game.last_night ? deathOf(view, game.last_night.killed, "died last night", "killed last night") : "";
  if (!game.last_day) return "Nobody knows who is who but the mafia.";
  return deathOf(view, game.last_day.lynched, "was lynched today", "lynched today");
}

function deathOf(view, seat, nobody, how) {
  if (seat === null) return `Nobody ${nobody}.`;
  return `${callName(view, seat)} ${seat === view.you.seat ? "were" : "was"} ${how}.`;
}

/** The viewer's task for the card: {heading, words}. */
export function taskOf(view) {
  const { game } = view;
  const idle = idleTaskOf(view);
  if (idle) return idle;
  if (game.stage === "day") return dayTask(view);
  const isAgent = game.you.role === "agent";
  if (may(view, "choose")) return { heading: night[game.you.role][0], words: isAgent ? "A choice is final at once, for this night." : "It can be changed until dawn." };
  if (isAgent && game.you.target !== null) return { heading: "Your choice is made", words: "It is final for this night." };
  return { heading: "Nothing to do tonight", words: "Press Done: everybody who lives has the same button, so it tells nothing." };
}

function dayTask(view) {
  const vote = ownVote(view);
  if (vote === null) return { heading: "Who is it? Vote", words: "Press a citizen, or nobody. A vote is public and can be changed until the day ends." };
  return { heading: `You vote for ${choiceName(view, vote)}`, words: "It can be changed until the day ends." };
}

/** The headline and the reason of the end. */
export function endingOf({ result }) {
  const [headline, reason] = endings[result.reason];
  return { headline, reason };
}

/** Whether the viewer is on the side that won; null for those who did not play. */
export function hasWon({ game }) {
  return game?.you && game.result?.winner ? game.you.side === game.result.winner : null;
}

/** The viewer's private knowledge, as sentences, the newest last. */
export function privateLines(view) {
  const own = view.game.you;
  const nights = own.nights.map(([round, choice]) => [round, 0, `Night ${round}: you ${night[own.role][1]} ${choiceName(view, choice)}.`]);
  const read = own.read_files.map(([round, seat, isMafia]) => [round, 1, `Night ${round}: the file on ${nameOf(view, seat)} says ${files[Number(isMafia)]}.`]);
  const saved = own.saved.map((round) => [round, 2, `Night ${round}: you were attacked, and the doctor saved you.`]);
  const learned = own.learned.map(([seat, role]) => [Infinity, 3, `${nameOf(view, seat)} was: ${roleWord(role)}.`]);
  return [...nights, ...read, ...saved, ...learned].sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , line]) => line);
}

/** The other members of the mafia, for its members: "x (Agent of the mafia)"; null for the town. */
export function fellows(view) {
  const own = view.game.you;
  if (!own.mafia) return null;
  const others = own.mafia.filter(([seat]) => seat !== view.you.seat);
  return others.length ? listed(others.map(([seat, role]) => `${nameOf(view, seat)} (${roleWord(role)})`)) : "nobody: you are alone";
}

/** The roles in the game: "3 ordinary citizens, 1 doctor". */
export function rolesLine(game) {
  return game.roles.map(([role, number]) => `${number} ${roles[role][number === 1 ? 0 : 1]}`).join(", ");
}

/** The game's own rooms: name -> [word, about]. */
export const ROOMS = { mafia: ["The mafia", "Only the living mafia reads and posts here."] };
