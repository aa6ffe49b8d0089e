// Sums of the bet dock. Pure; the server has the last word on every bet.

export function clamp(value, least, most) {
  const whole = Math.trunc(Number(value));
  if (!Number.isFinite(whole)) return least;
  return Math.min(Math.max(whole, least), most);
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
    ["All in", most],
  ];
  return wishes.map(([label, wish]) => ({ label, amount: clamp(wish, least, most) }));
}

/** Step of the slider for PageUp and PageDown: about a tenth of the way. */
export function pageStep(least, most) {
  return Math.max(1, Math.round((most - least) / 10));
}

/** What remains in the purse after matching and raising by an amount. */
export function purseAfter(purse, call, amount) {
  return Math.max(0, purse - Math.min(call, purse) - amount);
}
