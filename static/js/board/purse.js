// What one is offered to bring to a table, and what one may. Pure; the server has the last word.
// The sums are those of games/engine/table/purses.py.

const OFFERED_LEAST = 20;
const OFFERED_PART = 5;

/** The purse on offer, in points: never all that one owns, never below the least one. */
export function offeredPurse({ least, most }, owned) {
  const usual = Math.max(OFFERED_LEAST * least, Math.floor(owned / OFFERED_PART));
  return Math.max(least, Math.min(most, owned, usual));
}

/** How many points are missing to sit down at all; 0 for whoever may. */
export function missingPoints({ least }, owned) {
  return Math.max(0, least - owned);
}
