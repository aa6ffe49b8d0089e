// The public count of the others' weapons: dealt, seen thrown, taken, added from a stash.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { counted, listed } from "rr/board/wording";
import { BASIC, title } from "rr/showdown/lore";

/** The seats whose weapons are worth a count: all who are in, but the viewer. Pure. */
export function countedSeats(view) {
  const isIn = ({ no, status, known }) => known && no !== view.you.seat && ["in", "all_in"].includes(status);
  return view.game?.stage === "betting" ? [] : (view.game?.seats ?? []).filter(isIn);
}

/** "At most 2 Rock, 3 Paper and 1 Scissors, and 1 added weapon." Pure. */
export function knownWords(known) {
  const most = listed(BASIC.map((weapon) => `${known[weapon]} ${title(weapon)}`));
  return `At most ${most}${known.added ? `, and ${counted(known.added, "added weapon")}` : ""}.`;
}

/** One seat's count, in a line. */
export function Known({ no }) {
  const { view } = useTable();
  const seat = countedSeats(view).find((one) => one.no === no);
  if (!seat) return null;
  const { known } = seat;
  return html`<span class="known" title=${`${knownWords(known)} Counted from what everybody saw.`}><span aria-hidden="true">${BASIC.map((weapon) => html`<span class=${known[weapon] ? "" : "is-none"}><${Icon} name=${weapon} class=${`ink-${weapon}`} /><b class="num">${known[weapon]}</b></span>`)}${known.added > 0 && html`<span>+<b class="num">${known.added}</b></span>`}</span><span class="sr">${knownWords(known)}</span></span>`;
}

/** All the others' counts. */
export function KnownBoard() {
  const { view } = useTable();
  const seats = countedSeats(view);
  if (!seats.length) return null;
  return html`<section class="known-board"><h3>Left, at most</h3><ul>${seats.map(({ no }) => html`<li key=${no}><span>${nameOf(view, no)}</span><${Known} no=${no} /></li>`)}</ul></section>`;
}
