// Chips that fly across the table: points to a seat, the pot to its winner.  Only for the eye.

const FLIGHT = { duration: 650, easing: "cubic-bezier(.3, 0, .3, 1)", fill: "both" };

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

export function seatDisc(no) {
  return document.querySelector(`[data-seat="${no}"] .disc`);
}

/** Move a chip with these words from one element to another; nothing moves for those who want none. */
export function fly(from, to, words) {
  if (!from || !to || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const chip = document.createElement("span");
  chip.className = "flight num";
  chip.setAttribute("aria-hidden", "true");
  chip.textContent = words;
  document.body.append(chip);
  const [start, end] = [middle(from), middle(to)];
  const at = ({ x, y }, scale) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
  const flight = chip.animate([{ transform: at(start, 1.2) }, { transform: at(end, 1), opacity: 1, offset: 0.9 }, { transform: at(end, 1), opacity: 0 }], FLIGHT);
  const land = () => chip.remove();
  flight.finished.then(land, land);
}
