// A view of Agoran Mafia in words. Pure: no page, no socket.
import { siteNow } from "rr/board/clock";
import { filled, wordsOf } from "rr/board/said";
import { callName, nameOf } from "rr/board/seats";
import { capital, listed } from "rr/board/wording";
import { VOTES, clockWords, hasLeft, idleTaskOf, may, ownVote, pressKind, tallyOf } from "rr/mafia/game";

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

/** The question before a press that is seldom meant, or that decides: {title, text, yes, isFinal}; null for any other. */
export function questionAt(view, choice) {
  const { game, you } = view;
  if (pressKind(view) === "choose") {
    const role = game.you.role === "mafioso" && game.you.mafia?.find(([seat]) => seat === choice);
    if (!role) return game.you.role === "agent" && choice !== NOBODY ? { title: "Forge this file?", text: `The file on ${choiceName(view, choice)} is forged at once. For this night that is final.`, yes: "Forge it", isFinal: true } : null;
    return { title: choice === you.seat ? "Kill yourself?" : "Kill one of your own?", text: `${choice === you.seat ? "You are" : `${nameOf(view, choice)} is`} one of the mafia.`, yes: "Kill" };
  }
  if (choice === ownVote(view)) return null;
  if (isLast(game, choice)) return { title: "The deciding vote?", text: choice === NOBODY ? "The day ends at once, and nobody is lynched." : `The day ends at once: ${choice === you.seat ? "you are" : `${nameOf(view, choice)} is`} lynched.`, yes: "Vote" };
  return choice === you.seat ? { title: "Vote for yourself?", text: "Everybody sees it.", yes: "Vote" } : null;
}

const TYPED = { vote: ["vote"], v: ["vote"], target: ["choose"], t: ["choose"], none: ["vote", "choose"] };

/** The choice that a typed command makes now, as the site reads it; null for any other. */
export function choiceTyped(view, text) {
  const [, name, word = NOBODY] = /^[!/]\s*(\w+)(?:\s+(\S+))?\s*$/.exec(text) ?? [];
  if (!TYPED[name?.toLowerCase()]?.includes(pressKind(view))) return null;
  const sought = word.toLowerCase().replace(/^@/, "").replace(/[,.:;!?]+$/, "");
  if (sought === NOBODY) return NOBODY;
  const begun = view.seats.filter(({ player }) => sought && player?.name.toLowerCase().startsWith(sought));
  const exact = begun.filter(({ player }) => player.name.length === sought.length);
  const others = begun.filter(({ no }) => no !== view.you.seat);
  const [found, another] = [exact, others, begun].find((some) => some.length) ?? [];
  return found && !another ? found.no : null;
}

/** The cause and the moment of a death; empty for the living. */
export function fateOf({ is_alive: isAlive, cause, died_stage: stage, died_round: round }) {
  return isAlive ? "" : filled(fates[`${cause} ${stage}`] ?? fates[cause], { round });
}

/** The end of the phase, and whether a draw is near: twice `quiet_limit` phases without a death are one. */
export function noteOf(game) {
  const draw = game.quiet_phases >= 2 * game.quiet_limit - 2 ? " Without a death by the end of this day the game is a draw." : "";
  if (game.stage === "day") return `${game.needed} of ${game.living} votes decide the day.${draw}`;
  return `Ends at ${clockWords(game.due_at, Date.parse(game.due_at) - siteNow())}${game.early_end ? ", or soon after everyone is done" : ""}.${draw}`;
}

/** The news of the last change of phase; empty before the first. */
export function newsOf(view) {
  const { game } = view;
  if (game.stage === "day") return game.last_night ? deathOf(view, game.last_night.killed, "died last night", "killed last night") : "";
  if (!game.last_day) return "Nobody knows who is who but the mafia.";
  return deathOf(view, game.last_day.lynched, "was lynched today", "lynched today");
}

/** The citizens who died at the last change of phase, and those who left in this round. */
export function latestDead({ game }) {
  const seat = game.stage === "day" ? game.last_night?.killed : game.last_day?.lynched;
  return game.seats.filter(({ no, cause, died_round: round }) => no === seat || (cause === "left" && round === game.round));
}

/** The role of a citizen as far as the viewer knows it; null otherwise. */
export function knownRole(view, citizen) {
  const own = view.game.you;
  const learned = own?.learned.find(([seat]) => seat === citizen.no)?.[1];
  const mate = own?.mafia?.find(([seat]) => seat === citizen.no)?.[1];
  return citizen.role ?? (citizen.no === view.you.seat ? own.role : null) ?? learned ?? mate ?? null;
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
  if (game.you.is_done && may(view, "choose") && game.you.target === null) return { heading: "Done: nobody chosen", words: "Undo it to choose somebody." };
  if (may(view, "choose")) {
    const untilWhen = isAgent ? "A choice is final at once, for this night." : "It can be changed until dawn.";
    return { heading: night[game.you.role][0], words: game.you.target === null ? untilWhen : "" };
  }
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

/** The vote that carried the last lynching, as it was told: {title, text}; null if there was none. */
export function decidingVote(view) {
  const day = view.game.last_day;
  if (!day || day.lynched === null) return null;
  const voters = day.votes.filter(([, choice]) => choice === day.lynched).map(([seat]) => seat);
  const sentences = voters.map((seat) => `${nameOf(view, seat)} ${filled(VOTES, { choice: nameOf(view, day.lynched) })}.`);
  const last = view.log.findLast(({ text }) => sentences.includes(text));
  if (last) return { title: `The deciding vote, day ${day.round}`, text: last.text };
  return { title: `The deciding votes, day ${day.round}`, text: `${listed(voters.map((seat) => nameOf(view, seat)))} voted for ${nameOf(view, day.lynched)}.` };
}

/** Whether the viewer is on the side that won; null for those who did not play, and in a draw. Who left has lost. */
export function hasWon(view) {
  const { game } = view;
  if (!game?.you || !game.result || game.result.reason === "void") return null;
  if (hasLeft(view)) return false;
  return game.result.winner ? game.you.side === game.result.winner : null;
}

/** The viewer's private knowledge as [round, order, sentence, of a death], the newest last. */
function knowledge(view) {
  const own = view.game.you;
  const nights = own.nights.map(([round, choice]) => [round, 0, `Night ${round}: you ${night[own.role][1]} ${choiceName(view, choice)}.`]);
  const read = own.read_files.map(([round, seat, isMafia]) => [round, 1, `Night ${round}: the file on ${nameOf(view, seat)} says ${files[Number(isMafia)]}.`]);
  const saved = own.saved.map((round) => [round, 2, `Night ${round}: you were attacked, and the doctor saved you.`]);
  const learned = own.learned.map(([seat, role]) => [Infinity, 3, `${nameOf(view, seat)} was: ${roleWord(role)}.`, seat]);
  return [...nights, ...read, ...saved, ...learned].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** The viewer's private knowledge, as sentences, the newest last. */
export function privateLines(view) {
  return knowledge(view).map(([, , line]) => line);
}

/** The news for the viewer alone at the last change of phase, as sentences: answers, never choices. */
export function freshLines(view) {
  const { game } = view;
  if (!game.you?.is_alive) return [];
  const dead = latestDead(view).filter(({ role }) => !role).map(({ no }) => no);
  return knowledge(view).filter(([round, order, , seat]) => (order === 3 ? dead.includes(seat) : order > 0 && game.stage === "day" && round === game.round)).map(([, , line]) => line);
}

/** The other members of the mafia, for its members: [{no, name, isDead}]; null for the town. */
export function fellows(view) {
  const own = view.game.you;
  if (!own.mafia) return null;
  const isDead = (seat) => view.game.seats.some(({ no, is_alive: isAlive }) => no === seat && !isAlive);
  return own.mafia.filter(([seat]) => seat !== view.you.seat).map(([seat, role]) => ({ no: seat, name: `${nameOf(view, seat)} (${roleWord(role)})`, isDead: isDead(seat) }));
}

/** The roles in the game: "3 ordinary citizens, 1 doctor". */
export function rolesLine(game) {
  return game.roles.map(([role, number]) => `${number} ${roles[role][number === 1 ? 0 : 1]}`).join(", ");
}

/** The game's own rooms: name -> [word, about]. */
export const ROOMS = { mafia: ["The mafia", "Only the living mafia reads and posts here."] };
