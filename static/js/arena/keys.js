// Which key means what in the arena.  Pure: an event goes in, the name of a wish comes out.
import { isAside, isTyping } from "rr/board/keys";

const LETTERS = { r: "rock", p: "paper", s: "scissors", n: null, " ": null };

/** Space presses the button that has the focus; only elsewhere it means nothing. */
function isOnButton(event) {
  return event.key === " " && Boolean(event.target?.closest?.("button, a, summary, input, [role=tab]"));
}

/** {name, …} for a key that means something here, else null. */
export function wishOf(event) {
  if (isAside(event) || isTyping(event.target) || isOnButton(event)) return null;
  if (event.key === "?") return { name: "help" };
  const letter = event.key.toLowerCase();
  return letter in LETTERS ? { name: "choose", move: LETTERS[letter] } : null;
}
