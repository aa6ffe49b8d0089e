// The result of a round with given numbers of rocks, papers and scissors. Pure; whole numbers without a limit.
// The engine's own sums are in games/arena/rules/calculator.py; a test holds the two together.

export const MOVES = ["rock", "paper", "scissors"];

/** The largest count whose square a JavaScript number holds exactly. */
export const MOST = 94_906_266n;

/** Move -> the one that it beats, except under Inverted. */
export const PREY = { rock: "scissors", paper: "rock", scissors: "paper" };

/** Digits grouped by thousands, as in 94,906,266; "0.5" does not match. */
const GROUPED = /^[1-9]\d{0,2}(?:([\s,'_.\u2019])\d{3})(?:\1\d{3})*$/;

/** A number as somebody types it, as a BigInt; null unless it is a whole number from 0 to MOST. */
export function countOf(text) {
  const typed = text.trim();
  if (typed === "") return 0n;
  const plain = GROUPED.test(typed) ? typed.replace(/\D/g, "") : typed;
  if (!/^\d{1,12}$/.test(plain)) return null;
  const count = BigInt(plain);
  return count <= MOST ? count : null;
}

/** 1234567 as "1,234,567". */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",").replace("-", "\u2212");
}

/** The pair of two moves: which of them wins by the direction in force. */
function favoured(one, other, isInverted) {
  return (PREY[one] === other) !== isInverted ? one : other;
}

/** The effect of Count on a pair: "usual", "turned" or "tie", by the winner's and the loser's number. */
export function countRule(winners, losers) {
  if (losers <= winners) return "usual";
  return losers >= 2n * winners ? "turned" : "tie";
}

function verdict(one, other, counts, { inverted, count }) {
  if (one === other) return "T";
  const winner = favoured(one, other, inverted);
  const loser = winner === one ? other : one;
  const rule = count ? countRule(counts[winner], counts[loser]) : "usual";
  if (rule === "tie") return "T";
  return (winner === one) === (rule === "usual") ? "W" : "L";
}

/** Row against column: W, L or T. */
export function tableOf(counts, options) {
  const row = (one) => Object.fromEntries(MOVES.map((other) => [other, verdict(one, other, counts, options)]));
  return Object.fromEntries(MOVES.map((one) => [one, row(one)]));
}

/** The battles of one player on a move, being one of its number. */
function battlesOfOne(move, counts, table) {
  const each = { wins: 0n, losses: 0n, ties: 0n };
  const names = { W: "wins", L: "losses", T: "ties" };
  for (const other of MOVES) {
    const against = counts[other] - (other === move ? 1n : 0n);
    each[names[table[move][other]]] += against;
  }
  return each;
}

function sign(number) {
  return number > 0n ? 1n : number < 0n ? -1n : 0n;
}

/** A move nobody is on has no battles. */
function moveSums(move, counts, table) {
  const players = counts[move];
  const none = { wins: 0n, losses: 0n, ties: 0n };
  const each = players > 0n ? battlesOfOne(move, counts, table) : none;
  const all = { wins: each.wins * players, losses: each.losses * players, ties: each.ties * players };
  const effect = sign(each.wins - each.losses);
  return { players, each, all, effect, score: effect * players };
}

/** The battles won less those lost of one more player who knows all of this, by move. */
export function repliesTo(counts, options) {
  const net = (move) => {
    const joined = { ...counts, [move]: counts[move] + 1n };
    const { wins, losses } = battlesOfOne(move, joined, tableOf(joined, options));
    return wins - losses;
  };
  return Object.fromEntries(MOVES.map((move) => [move, net(move)]));
}

/** The moves with the largest net: one, or several that are as good. */
export function bestOf(replies) {
  const most = MOVES.map((move) => replies[move]).reduce((one, other) => (other > one ? other : one));
  return MOVES.filter((move) => replies[move] === most);
}

/** counts: {rock, paper, scissors} as BigInt; options: {inverted, count}. */
export function calculate(counts, options) {
  const table = tableOf(counts, options);
  const moves = Object.fromEntries(MOVES.map((move) => [move, moveSums(move, counts, table)]));
  const sum = (pick) => MOVES.reduce((total, move) => total + pick(moves[move]), 0n);
  const players = sum((one) => one.players);
  const totals = {
    players,
    battles: (players * (players - 1n)) / 2n,
    wins: sum((one) => one.all.wins),
    losses: sum((one) => one.all.losses),
    ties: sum((one) => one.all.ties),
    score: sum((one) => one.score),
  };
  const replies = repliesTo(counts, options);
  return { table, moves, totals, replies, best: bestOf(replies) };
}
