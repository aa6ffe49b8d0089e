// One running game to watch, drawn from the lobby's frame: the one with most spectators.
import { html } from "preact";
import { peopleOf } from "rr/lobby-list";

export const FILTERS = { all: () => true };

export function pick(games) {
  const running = Object.values(games).flat().filter((row) => row.status === "running" && row.spectators);
  return running.sort((one, other) => other.watching - one.watching || peopleOf(other).length - peopleOf(one).length).slice(0, 1);
}

export function List({ rows: [row] }) {
  const watching = row.watching ? html`<small>${row.watching} watching</small>` : null;
  return html`<a class="featured-felt" href=${row.url}>
    <span class="featured-seats">${row.players.map(({ name, bot }) => html`<span key=${name} class="name">${name}${bot && html`<span class="sr"> (bot)</span>`}</span>`)}</span>
    <span class="featured-news"><b><bdi>${row.title}</bdi></b><span class="num">${row.news}</span>${watching}</span>
    <span class="btn">Watch</span>
  </a>`;
}
