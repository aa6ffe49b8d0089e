// The lists of the lobby: their rows as a socket sends them, and the table around the rows that a game draws.
import { html } from "preact";

/** The names of the people in a row, without bots. */
export function peopleOf(row) {
  return row.players.filter((player) => !player.bot).map(({ name }) => name);
}

/** The number of taken seats, as dots and in words. */
export function Dots({ taken, seats }) {
  const dots = Array.from({ length: seats }, (_, place) => html`<i class=${place < taken ? "dot dot-on" : "dot"} />`);
  return html`<span class="dots" aria-hidden="true">${dots}</span><span class="sr">${taken} of ${seats} seats taken</span>`;
}

function Heading({ column }) {
  if (typeof column === "string") return html`<th scope="col">${column}</th>`;
  return html`<th scope="col" class="right">${column.right}</th>`;
}

/**
 * game: a game's list module. It exports FILTERS {name: (row) => boolean}, the names being those on
 * the page's buttons; COLUMNS, the headings before the button's, as a word or as {right: word};
 * NONE, what to say when a filter lets nothing through; row(data, own), the <tr> of one row.
 * own: the viewer's name, empty for guests.
 */
export function LobbyList({ game, rows, own }) {
  if (!rows.length) return html`<p class="pad muted">${game.NONE}</p>`;
  return html`<table class="rows">
    <thead><tr>${game.COLUMNS.map((column) => html`<${Heading} column=${column} />`)}<th scope="col"><span class="sr">Open</span></th></tr></thead>
    <tbody>${rows.map((data) => game.row(data, own))}</tbody>
  </table>`;
}

/** One list after a change: `gone` are keys, `rows` pairs of a place and a row. */
export function changed(list, { gone, rows }) {
  const left = new Set([...gone, ...rows.map(([, row]) => row.public_id)]);
  const next = list.filter((row) => !left.has(row.public_id));
  for (const [place, row] of rows) next.splice(place, 0, row);
  return next;
}

export class LobbyRows {
  #revision = 0;
  #asks = true; // for changes: until the lists have come, each heartbeat does

  /** games: the rows of each game, by its slug, as the page brought them. */
  constructor(games) {
    this.games = games;
  }

  /** A socket has opened: what another one sent has other numbers. */
  begin() {
    this.#revision = 0;
    this.#asks = true;
  }

  beat() {
    const seen = { type: "seen", revision: this.#revision };
    return this.#asks ? { ...seen, since: this.#revision } : seen;
  }

  /** Take a frame; returns whether to ask for the lists now, because one before it is missing. */
  take(frame) {
    if (frame.type === "lobby") return this.#show(frame, frame.games);
    if (frame.type !== "rows") return false;
    if (frame.revision === this.#revision + 1) return this.#show(frame, this.#after(frame.games));
    const isAsked = this.#asks; // its answer is on its way
    this.#asks = true;
    return !isAsked;
  }

  #show({ type, revision }, games) {
    this.#revision = revision;
    if (type === "lobby") this.#asks = false;
    this.games = games;
    return false;
  }

  #after(changes) {
    const fresh = Object.entries(changes).map(([slug, change]) => [slug, changed(this.games[slug] ?? [], change)]);
    return { ...this.games, ...Object.fromEntries(fresh) };
  }
}
