// Sums of purse and bet. Pure; the server has the last word on every bet.
import { missingPoints, offeredPurse } from "rr/board/purse";
import { clamp } from "rr/board/number-field";
import { wordsOf } from "rr/board/said";
import { statusWord } from "rr/showdown/lore";

const { free_turn: free } = wordsOf("showdown");

/** The least and the most purse of this viewer here: the table's limits and the balance. */
export function purseLimits({ match, you }) {
  const { ante, largest_purse: largest } = match.options;
  return { least: ante, most: Math.min(largest, you.balance ?? 0) };
}

/**
 * The purse that the page shows, which Sit down and Ready take: the wish, else the seat's own, else the
 * one on offer. A ready seat's purse is settled.
 */
export function shownPurse(view, wish) {
  const limits = purseLimits(view);
  const own = view.seats.find((seat) => seat.no === view.you.seat);
  if (own?.ready) return own.purse;
  return clamp(wish ?? own?.purse ?? offeredPurse(limits, view.you.balance ?? 0), limits.least, limits.most);
}

/** The points that the viewer lacks for the ante. */
export function missingFor(view) {
  return missingPoints(purseLimits(view), view.you.balance ?? 0);
}

/**
 * The presets of a raise: what goes on top after matching; of those with one amount the last stays. A
 * pot-sized raise counts the pot as it is after the call; all in is told with the call: the whole purse.
 */
export function presets({ pot, call, least, most }) {
  const after = pot + call;
  const wishes = [
    ["Min", least],
    ["½ pot", Math.floor(after / 2)],
    ["Pot", after],
    [statusWord("all_in"), most],
  ];
  const all = wishes.map(([label, wish]) => ({ label, amount: clamp(wish, least, most) }));
  const last = all.length - 1;
  return all
    .filter(({ amount }, place) => all.findLastIndex((other) => other.amount === amount) === place)
    .map((one) => ({ ...one, shown: one.label === all[last].label ? call + most : one.amount }));
}

/** The price of a call for a seat before its turn: the rest of its purse if that is less. */
export function priceAhead({ bet }, { stake, purse }) {
  return Math.max(0, Math.min(bet.to_match - stake, purse));
}

/** The wishes for the own next turn at such a price, as [plan, words, amount that the words name]. */
export function plansAt(price, purse) {
  const exact = price ? [`call-${price}`, price < purse ? "Call" : "Call all in:", price] : ["check", "Check", null];
  return [["check-fold", price ? "Fold" : "Check / fold", null], exact, ["call-any", "Call any, up to", purse]];
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
