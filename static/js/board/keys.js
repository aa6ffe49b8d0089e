// The common rules for keys of every board. Pure.

/** A key of the browser's own, or one that is held down: it means nothing here. */
export function isAside(event) {
  return Boolean(event.ctrlKey || event.altKey || event.metaKey || event.repeat);
}

export function isTyping(target) {
  return Boolean(target?.closest?.("input:not([type=range]), textarea, select, [contenteditable]"));
}
