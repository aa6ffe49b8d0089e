// A view of Dynamite Town in words. Pure: no page, no socket.
import { siteNow } from "rr/board/clock";
import { filled, wordsOf } from "rr/board/said";
import { callName, nameOf } from "rr/board/seats";
import { listed } from "rr/board/wording";
import { clockWords, hasLeft, idleTaskOf, may, ownVote, tallyOf } from "rr/mafia/game";

const { teams, hunters, causes, moments, endings, price } = wordsOf("dynamite");

export const { about: ABOUT, cards: CARDS, explodes_at: EXPLODES_AT } = wordsOf("dynamite");

/** The name of a team: "Rock Mafia". */
function teamName(team) {
  return teams[team][0];
}

/** The name of a member of a team: "Rock Mafioso". */
export function cardName(team) {
  return teams[team][1];
}

/** The mafia to which a team is vulnerable; undefined for the town. */
export function hunterOf(team) {
  return hunters[team];
}

/** The mafia that a team has to kill; undefined for the town. */
export function preyOf(team) {
  return Object.keys(hunters).find((prey) => hunters[prey] === team);
}

/** Everything that killed a player: "exploded and killed by a rampaging stapler". */
export function causeWords({ causes: own, team }) {
  return listed(own.map((cause) => filled(causes[cause], { hunter: teamName(hunters[team] ?? team) })));
}

/** The causes of a death and when it was; empty for the living. */
export function fateOf(player) {
  if (player.is_alive) return "";
  const telling = player.causes.find((cause) => cause !== "left") ?? "left";
  return `${causeWords(player)}${filled(moments[player.died_stage ?? telling], { round: player.died_round })}`;
}

/** The end of the phase, and whether a draw is near. */
export function noteOf({ stage, due_at: dueAt, quiet_phases: quiet, quiet_limit: limit }) {
  const at = clockWords(dueAt, Date.parse(dueAt) - siteNow());
  const note = stage === "day" ? "Ends early when everyone has voted and is done. Without a vote: the stapler." : `Ends at ${at}, or soon after everyone is done.`;
  return quiet > 0 && quiet >= limit - 2 ? `${note} ${quiet} of ${limit} days and nights without a death: then it is a draw.` : note;
}

/** The players who died at the last change of phase, in seat order. */
export function latestDead(game) {
  const last = game.stage === "day" ? game.last_night : game.last_day;
  return game.seats.filter(({ no }) => last?.died.includes(no));
}

/** The news of the last change of phase, in a line. */
export function newsOf(view) {
  const { game } = view;
  if (game.stage === "day" && !game.last_night) return "Three mafias, one town, and nobody knows who is who.";
  const dead = listed(latestDead(game).map(({ no }) => callName(view, no))) || "Nobody";
  return `${dead} died ${game.stage === "day" ? "last night" : "at the end of the day"}.`;
}

/** The viewer's task for the card: {heading, words}. */
export function taskOf(view) {
  const { game } = view;
  const idle = idleTaskOf(view);
  if (idle) return idle;
  if (game.you.is_leaving) return { heading: "You have left", words: "You act no more, and die when this phase ends." };
  if (game.stage === "day") return dayTask(view);
  if (game.you.danger !== null) return { heading: "Nothing to do tonight", words: "Townies are tough: nobody can kill you at night. Press Done: everybody who lives has the same button, so it tells nothing." };
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
  if (own.is_done && may(view, "confront")) return { heading: "Done: nobody chosen", words: "Undo it to confront somebody." };
  if (may(view, "confront")) return { heading: "Confront somebody?", words: `It costs ${price} of your team's points. Your prey dies. A townie kills you. The mafia that hunts you does not notice.` };
  return { heading: "Your team has too few points", words: `A confrontation costs ${price} that are not reserved. Votes for any of you bring points, and so do your dead. Press Done.` };
}

/** The headline and the reason of the end. */
export function endingOf({ result }) {
  const isOne = result.teams.length === 1;
  const prey = listed(result.teams.map((team) => teamName(preyOf(team))));
  const fields = { prey, teams: listed(result.teams.map(teamName)), wins: isOne ? "wins" : "win", are: isOne ? "is" : "are" };
  const [headline, reason] = endings[result.reason].map((pattern) => filled(pattern, fields));
  return { headline, reason };
}

/** Whether the viewer has won; null for those who did not play, and for a mafia in a draw that did not leave. */
export function hasWon(view) {
  const { game, you } = view;
  if (!game?.you || !game.result || game.result.reason === "void") return null;
  const hasWon = game.result.winners.includes(you.seat);
  return !hasWon && !hasLeft(view) && game.result.reason === "quiet" && preyOf(game.you.team) ? null : hasWon;
}

/** The death in the last phase that wiped out a team: {title, text}; null for a draw. */
export function decidingDeath({ game, ...view }) {
  const { last_night: night, last_day: day, seats, result } = game;
  const prey = (result?.teams ?? []).map(preyOf);
  // A night comes after the day of its round.
  const latest = night && night.round >= day.round ? night : day;
  const last = seats.find(({ no, team }) => prey.includes(team) && latest.died.includes(no));
  return last ? { title: "What decided the game", text: `${nameOf(view, last.no)}, the last of the ${teamName(last.team)}: ${fateOf(last)}.` } : null;
}

/**
 * The danger of a townie if the day ended now: {danger, held, level, words}; held are the standing votes,
 * level is 0 to 3. By night there are no votes, and the dead have it behind them.
 */
export function dangerNow({ game, you }) {
  const { danger, is_alive: isAlive } = game.you;
  const most = EXPLODES_AT;
  if (!isAlive) return { danger, held: 0, level: 0, words: game.seats.find(({ no }) => no === you.seat).causes.includes("explosion") ? "You exploded." : "" };
  const held = game.stage === "day" ? (tallyOf(game).get(you.seat) ?? 0) : 0;
  const level = Math.min(danger + held, most);
  if (game.stage !== "day") return { danger, held, level, words: `${level} of ${most}: no votes by night` };
  if (level === most) return { danger, held, level, words: `${level} of ${most} if the day ended now: you explode` };
  return { danger, held, level, words: `${level} of ${most} if the day ended now${level ? ": it drops by 1" : ": calm"}` };
}

/** The outcome of a confrontation of the viewer in a night that is over. */
function outcomeOf({ game, you }, round, seat) {
  const own = game.seats.find(({ no }) => no === you.seat);
  const target = game.seats.find(({ no }) => no === seat);
  if (target.died_round === round && target.causes.includes("confronted")) return "Dead.";
  if (own.died_round === round && own.causes.includes("townie")) return "A townie: you died of it.";
  return `Nothing happened: neither ${teamName(preyOf(game.you.team))} nor a townie.`;
}

/** The confrontations of the viewer as [round, sentence], the newest last. */
function confrontations(view) {
  return view.game.you.nights.map(([round, seat]) => [round, `Night ${round}: you confronted ${nameOf(view, seat)}. ${outcomeOf(view, round, seat)}`]);
}

export function ownLines(view) {
  return confrontations(view).map(([, line]) => line);
}

/** The outcome of the viewer's confrontation of the last night. */
export function freshLines(view) {
  const { game } = view;
  if (!game.you?.is_alive || game.stage !== "day") return [];
  return confrontations(view).filter(([round]) => round === game.last_night?.round).map(([, line]) => line);
}

/** The confrontations that the own team has declared tonight, as sentences. */
export function planLines(view) {
  return (view.game.you?.confrontations ?? []).map(([attacker, target]) => `${callName(view, attacker)} → ${nameOf(view, target)}`);
}

/** The game's own rooms: name -> [word, about]. */
export const ROOMS = Object.fromEntries(Object.keys(hunters).map((team) => [team, [`The ${teamName(team)}`, `Only the living ${teamName(team)} reads and posts here.`]]));
