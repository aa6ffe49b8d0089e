// Which key means what at a duel.  Pure: an event goes in, the name of a wish comes out.
import { isAside, isTyping } from "rr/board/keys";

const LETTERS = { r: "rock", p: "paper", s: "scissors" };

/** {name, …} for a key that means something here, else null. */
export function wishOf(event) {
  if (isAside(event)) return null;
  if (event.key === "Escape") return { name: "escape" };
  if (isTyping(event.target)) return null;
  if (event.key === "?") return { name: "help" };
  if (event.key.toLowerCase() === "t") return { name: "speak" };
  const hand = LETTERS[event.key.toLowerCase()];
  return hand ? { name: "throw", hand } : null;
}
