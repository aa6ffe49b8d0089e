// Awards by the rules, and the paid part of them, written x + yi.
import { html } from "preact";
import { useTable } from "rr/board/parts";

/** Points of both axes as one number. */
export function complexWords(x, y) {
  if (!y) return String(x);
  return x ? `${x} + ${y}i` : `${y}i`;
}

/** The paid part of a seat's award (null: nothing), and the reason why it is not all. */
export function paidOf(view, no, earned) {
  if (!earned) return { amount: "–", why: "" };
  const seat = view.seats[no];
  if (!view.match.rated) return { amount: "", why: "" };
  if (seat.player?.bot) return { amount: "–", why: "bots are paid nothing" };
  const isCut = earned.some((points, axis) => points > seat.award[axis]);
  return { amount: complexWords(...seat.award), why: isCut ? "cut: the log says why" : "" };
}

/** Whether a game is, or would be, rated, and what follows from that. */
export function ratedWords(view, { people, minutes, lasting, daily }) {
  const { match } = view;
  const isOpen = match.status === "open";
  if (isOpen && match.options.phase_seconds < 60 * minutes) return `Not rated: nights and days are shorter than ${minutes} minutes. Nothing is paid and nothing counts.`;
  if (isOpen) return `Rated if ${people} people or more play, bots not counted: the winners are paid their awards, up to ${daily} points a day on each axis, and wins and losses count. A game of less than ${lasting} minutes pays nothing.`;
  if (match.rated) return `Rated: awards are paid, up to ${daily} points a day on each axis; wins and losses count.`;
  return `Not rated, so nothing is paid and nothing counts: that needs ${people} people and nights and days of ${minutes} minutes at least.`;
}

export function RatedNote() {
  const { view, config } = useTable();
  return html`<p class="small muted">${ratedWords(view, config.awards)}</p>`;
}
