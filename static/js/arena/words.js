// The arena in words.  What happened always comes from the server; here it is only said.  Pure.
import { signed } from "rr/board/wording";

export const MOVES = ["rock", "paper", "scissors"];
export const OPTIONS = ["blitz", "classic", "inverted", "count", "team", "survivor"];

const MOVE_WORDS = {
  rock: { title: "Rock", beats: "scissors" },
  paper: { title: "Paper", beats: "rock" },
  scissors: { title: "Scissors", beats: "paper" },
};

export const OPTION_WORDS = {
  blitz: { title: "Blitz", about: "3 seconds to choose instead of 5" },
  classic: { title: "Classic", about: "no bonuses for streaks" },
  inverted: { title: "Inverted", about: "rock loses to scissors, and so on round" },
  count: { title: "Count", about: "too many on the losing side turn the battle round" },
  team: { title: "Team", about: "two teams, drawn afresh; only the other one is fought" },
  survivor: { title: "Survivor", about: "three lives; a lost round costs one" },
};

const BEATEN_BY = { rock: "paper", paper: "scissors", scissors: "rock" };

export function title(move) {
  return MOVE_WORDS[move]?.title ?? "Nothing";
}

/** What a move is good for in this round, as far as it is known before. */
export function note(move, options) {
  return `beats ${options?.inverted ? BEATEN_BY[move] : MOVE_WORDS[move].beats}`;
}

export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** The options that are on, by name. */
export function optionsOn(options) {
  return OPTIONS.filter((name) => options?.[name]);
}

/** Whose wishes these options are. */
export function wishesLine(view, own) {
  if (!view.drawn) return "Nobody's wishes: these were drawn.";
  return view.drawn === own ? "Your wishes were drawn." : `${view.drawn}’s wishes were drawn.`;
}

/** How many are there, for a pill and for ears. */
export function crowdLine(view) {
  const people = counted(view.people, "person", "people");
  return view.bots ? `${people} and ${counted(view.bots, "bot")}` : people;
}

export function isIn(view) {
  return Boolean(view.you?.is_in);
}

/** Whether a choice of one's own would be taken now. */
export function mayChoose(view) {
  return isIn(view) && view.state === "selecting" && !view.you.is_sat_out;
}

const WATCHING = {
  left: "You have left. Your figures are kept as they are.",
  idle: "You chose nothing for 20 rounds, so you were moved to watching. Nothing is lost.",
  gone: "Your line was gone for 20 seconds, which is leaving. Your figures are kept.",
};

/** Why one only watches, in one sentence. */
export function watchingLine(view) {
  return WATCHING[view.you?.is_watching_because] ?? "You are watching. Come in whenever you like: you play in the round that runs.";
}

export function waitingLine(you) {
  if (you.waits_until_round_end === "leave") return "You leave when this round is over; what you chose still fights.";
  if (you.waits_until_round_end === "reset") return "All your figures go back to 0 when this round is over; it still counts as it was begun.";
  return "";
}

/** The own result of the round that is on show, null where one had none. */
export function ownLast(view) {
  const own = view.you?.last;
  return own && view.last && own.round === view.last.round ? own : null;
}

const HOW = {
  chosen: (move) => `You threw ${move}.`,
  random: (move) => `You chose nothing: ${move} was drawn for you.`,
  best: (move) => `You chose nothing: at a streak of −5 the best reply was made for you, ${move}.`,
};

export function howLine(own) {
  if (!own.move) return "You sat this round out.";
  return (HOW[own.how] ?? HOW.chosen)(title(own.move).toLowerCase());
}

export function battlesLine({ wins, losses, ties }) {
  return `${counted(wins, "win")}, ${counted(losses, "loss", "losses")}, ${counted(ties, "tie")}`;
}

const RESULTS = { won: "You won the round", lost: "You lost the round", tied: "A tied round", none: "No battle, no round" };

/** The headline and the rest of one's own result. */
export function resultOf(own) {
  const words = RESULTS[own.result] ?? RESULTS.none;
  const score = own.score_delta ? ` · ${signed(own.score_delta)}` : "";
  return { words, score, headline: `${words}${score}`, battles: battlesLine(own) };
}

/** What spectators read of a round: which moves won more than they lost. */
export function roundHeadline(last) {
  const won = MOVES.filter((move) => last.counts[move] > 0 && last.per_move[move].wins > last.per_move[move].losses);
  if (!won.length) return "Nobody came out ahead";
  return `${[title(won[0]), ...won.slice(1)].join(" and ")} came out ahead`;
}

/** "won", "lost" or "tied": how those on a move fared; "" where nobody was on it. */
export function fate(last, move) {
  if (!last || !last.counts[move]) return "";
  const { wins, losses } = last.per_move[move];
  return wins > losses ? "won" : wins < losses ? "lost" : "tied";
}

export const FATE_WORDS = { won: "ahead", lost: "behind", tied: "even", "": "nobody" };

/** One line for those who listen, once a round. */
export function spoken(view) {
  const { last } = view;
  if (!last) return "";
  const own = ownLast(view);
  const round = `Round ${last.round}: rock ${last.counts.rock}, paper ${last.counts.paper}, scissors ${last.counts.scissors}.`;
  if (!own) return `${round} ${roundHeadline(last)}.`;
  return `${round} ${howLine(own)} ${resultOf(own).headline}: ${resultOf(own).battles}.`;
}

/** What the streak gives: {at, words, isOn: whether it does so now}. */
export function bonuses(view) {
  const { streak, bonus } = view.you;
  const scores = bonus.multiplier ? `a won round scores ${bonus.multiplier}` : "a won round scores the new streak less 1";
  return [
    { at: "−5", words: "choose nothing, and the best reply is made for you", isOn: bonus.best_choice },
    { at: "−3", words: "see what everybody has chosen so far", isOn: bonus.sees_choices && streak < 0 },
    { at: "+3", words: scores, isOn: Boolean(bonus.multiplier) },
    { at: "+5", words: "see what everybody has chosen so far", isOn: bonus.sees_choices && streak > 0 },
  ];
}

/** What one sees of the others' choices, and by what. */
export function grantLine(streak) {
  return `Chosen so far · by your streak of ${signed(streak)}`;
}

/** The heading of the dock and the line beside it. */
export function dockLines(view, choice) {
  if (view.state === "resting") return ["The arena rests", "It begins as soon as somebody is in."];
  if (view.you.is_sat_out) return ["You sit this one out", "No health is left. You are back at the next refill, when at most one player stands."];
  const alone = view.people + view.bots <= 1 ? "Nobody else is in: no battle, and nothing changes. " : "";
  if (choice) return [`${title(choice)} it is`, `${alone}You may change it until the clock runs out.`];
  return ["Choose", `${alone}${nothingLine(view)}`];
}

/** What choosing nothing leads to. */
export function nothingLine(view) {
  return view.you.bonus?.best_choice ? "Choose nothing, and the best reply is made for you: your streak is −5 or lower." : "Choose nothing, and one of the three is drawn for you.";
}

/** Share of the largest count, for the bars: 0 to 100. */
export function share(counts, move) {
  const most = Math.max(1, ...MOVES.map((one) => counts[one]));
  return Math.round((100 * counts[move]) / most);
}

/** A large number, short: 12,345 as 12.3k, from ten thousand on. */
export function shortCount(number) {
  if (number < 10_000) return number.toLocaleString("en");
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(number);
}
