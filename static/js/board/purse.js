// The offered purse and its limits. Pure; the server decides.
// The sums are those of games/engine/table/state.py.

const OFFERED_LEAST = 20;
const OFFERED_PART = 5;

/** The purse on offer, in points: never all that one owns, never below the least one. */
export function offeredPurse({ least, most }, owned) {
  const usual = Math.max(OFFERED_LEAST * least, Math.floor(owned / OFFERED_PART));
  return Math.max(least, Math.min(most, owned, usual));
}

/** The number of points that the viewer lacks to sit down; 0 if none. */
export function missingPoints({ least }, owned) {
  return Math.max(0, least - owned);
}
