// Which key means what in town.  Pure: an event goes in, the name of a wish comes out.
import { isAside, isTyping } from "rr/board/keys";

const LETTERS = { d: "done", w: "write", u: "unread", t: "speak", "?": "help" };

/** {name} for a key that means something here, else null. */
export function wishOf(event) {
  if (isAside(event)) return null;
  if (event.key === "Escape") return { name: "escape" };
  if (isTyping(event.target)) return null;
  const name = LETTERS[event.key.toLowerCase()];
  return name ? { name } : null;
}
