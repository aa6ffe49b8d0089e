// Keeps the keyboard's place: when the part that has the focus goes, the next heading gets it.

/** The headings of a part, the best first. */
const HEADINGS = [".ending h2", ".dock h2", "h2", "h1"];

function focusOn(place) {
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function isGone(element) {
  return !element.isConnected || element.matches(":disabled");
}

/** The field of the form that they are in, else the first heading shown in the nearest of these parts. */
function placeIn(parts) {
  for (const part of parts.filter((each) => each.isConnected)) {
    if (part.matches("form")) return part.querySelector("textarea, input:not([type=hidden])");
    const shown = HEADINGS.flatMap((each) => [...part.querySelectorAll(each)]).find((each) => each.checkVisibility());
    if (shown) return shown;
  }
  return null;
}

/** Move the focus to a heading, unless it is on something to press or to write in. */
export function goTo(heading) {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body || activeElement.matches("h1, h2")) focusOn(heading);
}

/** Watch a board: the element that had the focus may be taken away or switched off at any redraw. */
export function keepFocus(board) {
  let last = null;
  let parts = [];
  board.addEventListener("focusin", ({ target }) => {
    last = target;
    parts = [];
    for (let part = target.parentElement; part && board.contains(part); part = part.parentElement) parts.push(part);
  });
  board.addEventListener("focusout", ({ target }) => {
    // Somebody who leaves by hand leaves an element that is still there.
    setTimeout(() => last === target && !isGone(target) && document.activeElement !== target && (last = null));
  });
  const look = () => {
    if (!last || !isGone(last)) return;
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body && activeElement !== last) return;
    const place = placeIn(parts);
    last = null;
    if (place) focusOn(place);
  };
  new MutationObserver(look).observe(board, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}
