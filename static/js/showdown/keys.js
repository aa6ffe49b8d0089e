// Which key means what at a table. Pure: an event goes in, the name of a wish comes out.
import { isAside, isTyping } from "rr/board/keys";

const LETTERS = { c: "call", f: "fold", r: "raise", "?": "help", l: "lock", x: "reset", m: "combine", s: "same", a: "all", t: "speak" };

/** A tab that has the focus is open: Enter does nothing there. */
function isPressable(target) {
  return Boolean(target?.closest?.("button:not([role=tab]), a, summary"));
}

function digit(event) {
  const found = /^(?:Digit|Numpad)([1-9])$/.exec(event.code ?? "");
  return found ? Number(found[1]) : null;
}

/** {name, …} for a key that means something here, else null. */
export function wishOf(event) {
  if (isAside(event)) return null;
  if (event.key === "Escape") return { name: "escape" };
  if (isTyping(event.target)) return null;
  const number = digit(event);
  if (number) return { name: event.shiftKey && number <= 3 ? "combine-pick" : "weapon", number };
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    return event.target?.closest?.("input, [role=tab]") ? null : { name: "target", step: event.key === "ArrowLeft" ? -1 : 1 };
  }
  if (event.key === "Enter") return isPressable(event.target) ? null : { name: "enter" };
  const name = LETTERS[event.key.toLowerCase()];
  return name ? { name } : null;
}
