// Which key means what at a duel.  Pure: an event goes in, the name of a wish comes out.

const LETTERS = { r: "rock", p: "paper", s: "scissors" };

function isTyping(target) {
  return Boolean(target?.closest?.("input, textarea, select, [contenteditable]"));
}

/** {name, …} for a key that means something here, else null. */
export function wishOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return null;
  if (event.key === "Escape") return { name: "escape" };
  if (isTyping(event.target)) return null;
  if (event.key === "?") return { name: "help" };
  const hand = LETTERS[event.key.toLowerCase()];
  return hand ? { name: "throw", hand } : null;
}
