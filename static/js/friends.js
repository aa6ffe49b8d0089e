// The people whom the viewer follows: where they play and wait, drawn from the lobby's frame.
import { html } from "preact";

/** [name, whether online] of each. */
const followed = JSON.parse(globalThis.document?.getElementById?.("friends")?.textContent ?? "[]");

export const FILTERS = { all: () => true };

/** The row that says where somebody is: a game to watch, else a seat to take beside them. */
function placeOf(name, rows) {
  const own = rows.filter((row) => row.players.some((player) => player.name === name));
  return own.find((row) => row.status === "running" && row.spectators) ?? own.find((row) => row.status !== "running" && row.free > 0) ?? null;
}

/** Those who play, wait or are online, those with a game first; people: as the page lists them. */
export function friendsIn(games, people) {
  const rows = Object.values(games).flat();
  const all = people.map(([name, isOnline]) => ({ name, isOnline, row: placeOf(name, rows) }));
  return all.filter(({ isOnline, row }) => isOnline || row).sort((one, other) => Boolean(other.row) - Boolean(one.row));
}

export const pick = (games) => friendsIn(games, followed);

function Friend({ name, row }) {
  const link = html`<a href=${`/@${name}/`}><b>${name}</b></a>`;
  if (!row) return html`<li>${link}<small class="muted">online</small><a class="btn" href=${`/duels/?opponent=${name}#challenge`}>Challenge<span class="sr"> ${name}</span></a></li>`;
  const [state, word] = row.status === "running" ? ["plays", "Watch"] : ["waits at", "Join"];
  return html`<li>${link}<small class="muted">${state} <bdi>${row.title}</bdi></small><a class="btn" href=${row.url}>${word}<span class="sr">: ${row.title}</span></a></li>`;
}

export function List({ rows }) {
  return html`<ul class="friends">${rows.map((friend) => html`<${Friend} key=${friend.name} ...${friend} />`)}</ul>`;
}
