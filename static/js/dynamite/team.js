// The sign of a team: colour, shape, picture and word together, never the colour alone.
import { html } from "preact";
import { Icon } from "rr/icon";
import { capital } from "rr/board/wording";
import { preyOf } from "rr/dynamite/words";

/** The sign of a team: its picture in its shape. */
export function Sign({ team }) {
  return html`<span class=${`team-sign team-${team}`} aria-hidden="true"><${Icon} name=${team} /></span>`;
}

export function Badge({ team, word }) {
  return html`<span class=${`team-badge team-${team}`}><${Sign} team=${team} /><b>${word ?? capital(team)}</b></span>`;
}

/** The four teams: their sizes, and the number of the living. */
export function Teams({ game, own }) {
  return html`<ul class="teams" aria-label="The teams">${game.teams.map(([team, size, dead]) => html`<li key=${team} class=${`team-row team-${team}${own === team ? " is-mine" : ""}`}><${Badge} team=${team} /><span class="small"><b class="num">${size - dead}</b> of <b class="num">${size}</b> live${preyOf(team) ? html`<span class="muted"> · hunts ${preyOf(team)}</span>` : ""}</span></li>`)}</ul>`;
}
