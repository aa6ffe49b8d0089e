// Flights across the table: points to a seat or into the pot, a taken weapon into the hand. Only for the eye.

const FLIGHT = { duration: 650, easing: "cubic-bezier(.3, 0, .3, 1)", fill: "both" };

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

export function seatDisc(no) {
  return document.querySelector(`[data-seat="${no}"] .disc`);
}

/** Move a thing from one element to another; nothing moves for those who want none, nor where nobody looks. */
function send(thing, from, to) {
  if (!from || !to || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  thing.classList.add("flight");
  thing.setAttribute("aria-hidden", "true");
  const [start, end] = [middle(from), middle(to)];
  document.body.append(thing);
  const at = ({ x, y }, scale) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
  const flight = thing.animate([{ transform: at(start, 1.2) }, { transform: at(end, 1), opacity: 1, offset: 0.9 }, { transform: at(end, 1), opacity: 0 }], FLIGHT);
  const land = () => thing.remove();
  flight.finished.then(land, land);
}

/** A chip with these words. */
export function fly(from, to, words) {
  const chip = document.createElement("span");
  chip.className = "flight-chip num";
  chip.textContent = words;
  send(chip, from, to);
}

/** A copy of a card on show. */
export function flyCard(from, to) {
  if (from) send(from.cloneNode(true), from, to);
}

/** The points that went into the pot between two views of one game: [seat, amount]. Pure. */
export function betsBetween(before, now) {
  if (!now.game || now.game.result || before.match.public_id !== now.match.public_id) return [];
  const stakes = new Map(before.game?.seats.map(({ no, stake }) => [no, stake]));
  return now.game.seats.map(({ no, stake }) => [no, stake - (stakes.get(no) ?? 0)]).filter(([, amount]) => amount > 0);
}

/** Slide every bet from its seat into the pot. */
export function flyBets(before, now) {
  for (const [no, amount] of betsBetween(before, now)) fly(seatDisc(no), document.querySelector(".centre .pot"), String(amount));
}
