// The next thing to do where somebody waits: seats beside people, drawn from the lobby's frame.
import { html } from "preact";
import { peopleOf } from "rr/lobby-list";

const MOST = 2;

export const FILTERS = { all: () => true };

/** The open games at which people wait, most of them first. */
export function pick(games) {
  const open = Object.values(games).flat().filter((row) => row.status === "open" && row.free > 0 && peopleOf(row).length);
  return open.sort((one, other) => peopleOf(other).length - peopleOf(one).length);
}

/** own: the viewer's name; games at which the viewer sits are under "Continue". */
export function List({ rows, own }) {
  const shown = rows.filter((row) => !peopleOf(row).includes(own)).slice(0, MOST);
  if (!shown.length) return null;
  return html`<section class="panel mine"><ul>${shown.map((row) => html`<li key=${row.public_id}><a href=${row.url}><span><b>${peopleOf(row).join(", ")}</b> ${peopleOf(row).length > 1 ? "wait" : "waits"}<small><bdi>${row.title}</bdi>${row.terms && ` · ${row.terms}`}</small></span><span class="btn btn-brass">Join</span></a></li>`)}</ul></section>`;
}
