// The names of seats. Pure.

export function nameOf(view, no) {
  return view.seats.find((seat) => seat.no === no)?.player?.name ?? `Seat ${no + 1}`;
}

/** "You" for oneself, else the name. */
export function callName(view, no) {
  return view.you.seat === no ? "You" : nameOf(view, no);
}

/** As on the page of a player. */
export function initials(name) {
  return name.slice(0, 2).toUpperCase();
}
