// Texts of the arena. The server sends the sentences about events. Pure.
import { wordsOf } from "rr/board/said";
import { capital, counted, listed, signed } from "rr/board/wording";
import { timeWords } from "rr/times";
import { MOVES, PREY } from "rr/arena/calculator";

const { results, watching, waiting } = wordsOf("arena");

export const { options: ABOUT, resting: RESTING } = wordsOf("arena");
export const OPTIONS = Object.keys(ABOUT);

/** The move that a move beats in this round: "beats scissors"; under Count nobody knows yet. */
export function note(move, options) {
  if (options?.count) return "depends on numbers";
  return `beats ${options?.inverted ? MOVES.find((other) => PREY[other] === move) : PREY[move]}`;
}

/** The options that are on, by name. */
export function optionsOn(options) {
  return OPTIONS.filter((name) => options?.[name]);
}

/** The player whose options apply; `wished`: the viewer's own preferences as the round began. */
export function wishesLine(view, own, wished = {}) {
  if (!view.drawn) return "A plain round: all players are new.";
  if (view.drawn !== own) return `${view.drawn}’s options apply this round.`;
  const isWish = Object.values(wished ?? {}).some((wish) => wish !== "any");
  return isWish ? "Your options apply this round." : "You were drawn; you wish nothing, so all stays.";
}

/** "D broke C’s +7." */
export function brokenLine({ by, of, streak }) {
  return `${by} broke ${of}’s ${signed(streak)}.`;
}

/** When the season ends, or when the next one is. */
export function seasonHeading({ is_running, begins_at, ends_at }, zone = undefined) {
  if (is_running) return `Season until ${timeWords(ends_at, "clock", zone)}`;
  return `Next season ${timeWords(begins_at, "minute", zone)} to ${timeWords(ends_at, "clock", zone)}`;
}

/** The results of a guest's rounds. */
export function guestLine({ won, lost, tied }) {
  return won + lost + tied ? `${won} won, ${lost} lost, ${tied} tied.` : "They count for nobody.";
}

/** The numbers of people and bots. */
export function crowdLine(view) {
  const people = counted(view.people, "person", "people");
  return view.bots ? `${people} and ${counted(view.bots, "bot")}` : people;
}

/** The reason why the viewer only watches. */
export function watchingLine(view) {
  return watching[view.you.is_watching_because ?? ""];
}

export function waitingLine(you) {
  return waiting[you.waits_until_round_end] ?? "";
}

/** The own result of the round that is on show, null where one had none. */
export function ownLast(view) {
  const own = view.you ? view.you.last : view.guest?.last;
  // A guest's round against drawn moves, while nobody is in.
  if (own?.counts) return view.state === "resting" ? own : null;
  return own && view.last && own.round === view.last.round ? own : null;
}

/** The own move; the server explains one that was made for the player. */
export function howLine(own) {
  if (!own.move) return "You sat this round out.";
  return own.why ?? `You threw ${own.move}.`;
}

/** The headline of the viewer's result, and its parts. */
export function resultOf(own) {
  const words = results[own.result];
  const score = own.score_delta ? ` · ${signed(own.score_delta)}` : "";
  return { words, score, headline: `${words}${score}` };
}

/** The result of a round for spectators: the moves that won more than they lost. */
export function roundHeadline(last) {
  const won = MOVES.filter((move) => fate(last, move) === "won");
  return `${won.length ? capital(listed(won)) : "Nobody"} came out ahead`;
}

/** "won", "lost" or "tied": how those on a move fared; "" where nobody was on it. */
export function fate(last, move) {
  if (!last || !last.counts[move]) return "";
  const { wins, losses } = last.per_move[move];
  return wins > losses ? "won" : wins < losses ? "lost" : "tied";
}

export const FATE_WORDS = { won: "ahead", lost: "behind", tied: "even", "": "nobody" };

/** One line a round for screen readers. */
export function spoken(view) {
  const { last } = view;
  if (!last) return "";
  const own = ownLast(view);
  const round = `Round ${last.round}: rock ${last.counts.rock}, paper ${last.counts.paper}, scissors ${last.counts.scissors}.`;
  return `${round} ${own ? `${howLine(own)} ${resultOf(own).headline}. ${own.reason ?? ""}` : `${roundHeadline(last)}. ${view.reason}`}`.trim();
}

/** The bonuses of a streak: {at, words, isOn: whether it has them now}. */
export function bonuses({ you: { streak, bonus } }) {
  const scores = bonus.multiplier ? `a win scores ${bonus.multiplier}` : "a win scores streak − 1";
  const live = "see what everybody has chosen so far";
  return [
    { at: "−5", words: "choose nothing, and the best reply is made for you", isOn: bonus.best_choice },
    { at: "−3", words: live, isOn: bonus.sees_choices && streak < 0 },
    { at: "+3", words: scores, isOn: Boolean(bonus.multiplier) },
    { at: "+5", words: live, isOn: bonus.sees_choices && streak > 0 },
  ];
}

/** The heading of the dock and the line beside it. */
export function dockLines(view, choice) {
  if (!view.you) return [`Try it: ${counted(view.guest.left, "round")} without an account`, guestLine(view.guest)];
  if (view.state === "resting") return [RESTING, "It begins as soon as somebody is in."];
  if (view.you.is_sat_out) return ["You sit this one out", "No health is left. You are back at the next refill, when at most one player stands."];
  const alone = view.people + view.bots <= 1 ? "Nobody else is in: no battle, and nothing changes. " : "";
  if (choice) return [`${capital(choice)} it is`, `${alone}You may change it until the clock runs out.`];
  const nothing = view.you.bonus?.best_choice ? "the best reply is made for you: your streak is −5 or lower" : "one of the three is drawn for you";
  return ["Choose", `${alone}Choose nothing, and ${nothing}.`];
}

