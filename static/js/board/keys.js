// The common rules for keys of every board. Pure: only the viewer's setting is read.
import { setting } from "rr/settings";

/** A key of the browser's own, one that is held down, or a sign while those are off: it means nothing here. */
export function isAside(event) {
  const isOff = event.key?.length === 1 && setting("has_letter_keys") === false;
  return Boolean(event.ctrlKey || event.altKey || event.metaKey || event.repeat || isOff);
}

export function isTyping(target) {
  return Boolean(target?.closest?.("input:not([type=range]), textarea, select, [contenteditable]"));
}

/** Whether a wish needs no connection. */
export function isHarmless(wish) {
  return ["help", "escape"].includes(wish?.name);
}

const STILL_TYPING = 1500; // milliseconds between two letters

/** Knows the letters that were meant for a field which has gone while somebody typed: they are no keys. */
export class Typist {
  #field = null;
  #at = 0;

  /** Whether a pressed key was meant for such a field; hears every key. */
  loses({ target, timeStamp }) {
    if (isTyping(target)) this.#field = target;
    else if (!this.#field || this.#field.isConnected || timeStamp - this.#at >= STILL_TYPING) this.#field = null;
    this.#at = timeStamp;
    return this.#field !== null && this.#field !== target;
  }
}
