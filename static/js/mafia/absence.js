// Open seats and absence, from a view. Pure.

/** The chairs that somebody else may take over now. */
export function openSeats(view) {
  return view.seats.filter((chair) => chair.is_open);
}

/** The chair that the viewer had until somebody took it over; null for all others. */
export function lostSeat(view) {
  if (view.you.seat !== null || view.you.name === null) return null;
  return view.seats.find((chair) => chair.replaced?.includes(view.you.name)) ?? null;
}

/** Whether the viewer, who does not play, may ask for a seat. */
export function mayTakeOver(view) {
  return view.you.seat === null && view.you.may.includes("take_over") && lostSeat(view) === null;
}

/**
 * The warning for an idle player; empty for one who acted recently.
 * hasActed: whether something of this phase shows that one is back.
 */
export function warningFor(view, hasActed) {
  const { game, you, match } = view;
  if (!match.options.substitutes || match.status !== "running" || !game?.you?.is_alive) return "";
  if (view.seats[you.seat].is_open) {
    return hasActed
      ? "You are back, but your seat is open until this phase ends. If nobody takes it, it is yours again then."
      : "Your seat is open. Vote or press Done to keep it: posts do not count.";
  }
  if (game.you.idle_phases < 1 || hasActed) return "";
  return "You did nothing in the last phase: posts do not count. If this one passes without you as well, your seat is offered to others.";
}

/** away: {name: "2026-12-03"} from the page; returns "" for users who are not away. */
export function awayWords(away, chair) {
  const until = away?.[chair?.player?.name];
  if (!until) return "";
  return `away until ${new Date(`${until}T12:00:00Z`).toLocaleDateString([], { day: "numeric", month: "short", timeZone: "UTC" })}`;
}
