// Sums of purse and bet. Pure; the server has the last word on every bet.
import { missingPoints, offeredPurse } from "rr/board/purse";
import { clamp } from "rr/board/slider";
import { wordsOf } from "rr/board/said";
import { statusWord } from "rr/showdown/lore";

const { free_turn: free } = wordsOf("showdown");

/** The least and the most purse of this viewer here: the table's limits and the balance. */
export function purseLimits({ match, you }) {
  const { ante, largest_purse: largest } = match.options;
  return { least: ante, most: Math.min(largest, you.balance ?? 0) };
}

/** The purse that the viewer is offered. */
export function purseFor(view) {
  return offeredPurse(purseLimits(view), view.you.balance ?? 0);
}

/** The points that the viewer lacks for the ante. */
export function missingFor(view) {
  return missingPoints(purseLimits(view), view.you.balance ?? 0);
}

/**
 * The four presets of a raise: what goes on top after matching.
 * A pot-sized raise counts the pot as it is after the call.
 */
export function presets({ pot, call, least, most }) {
  const after = pot + call;
  const wishes = [
    ["Min", least],
    ["½ pot", Math.floor(after / 2)],
    ["Pot", after],
    [statusWord("all_in"), most],
  ];
  return wishes.map(([label, wish]) => ({ label, amount: clamp(wish, least, most) }));
}

/** The rest of the purse after matching and raising by an amount. */
export function purseAfter(purse, call, amount) {
  return Math.max(0, purse - Math.min(call, purse) - amount);
}

/** The help for the first bet. */
export const FIRST_BET = "You bet once per game. Check is free, a raise raises the price for everyone, a fold gives up your ante. Unbet points are returned.";

/** The meaning of the end of the clock. */
export const TIME_OUT = "time out = fold";

/** The same words for the felt and the dock: what this turn of the betting costs. */
export function betWords(game) {
  const call = game.you?.seat === game.turn ? game.you.call_amount : null;
  if (call === null || call === undefined) return `the bet is ${game.bet.to_match}`;
  return call ? `${call} to call` : free;
}

/** The viewer's points in the running game: purse and bets that are not settled. */
export function pointsInPlay(view) {
  const own = view.game?.result ? null : view.game?.seats.find((seat) => seat.no === view.you.seat);
  return own && view.match.status === "running" ? own.purse + own.stake : 0;
}
