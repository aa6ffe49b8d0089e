// The lobby's lists, kept up to date over its socket: those of one game or of all on one page.
// The game's module, named in the box of its list, draws the rows.
import { html, render } from "preact";
import { LiveSocket, wayOutButton } from "rr/live-socket";
import { LobbyList, LobbyRows } from "rr/lobby-list";

/** One list of the page, in the box that names its game and the game's list module. */
class LiveList {
  constructor(box, game) {
    this.box = box;
    this.game = game;
    this.slug = box.dataset.lobby;
    this.mount = box.querySelector("[data-lobby-rows]");
    this.empty = box.querySelector("[data-lobby-empty]");
    this.state = box.querySelector("[data-lobby-state]");
    this.filters = document.querySelector(`[data-lobby-filters~="${this.slug}"]`);
    this.filter = "all";
    this.mount.replaceChildren();
    this.#listenToFilters();
  }

  show(rows) {
    this.rows = rows;
    if (this.empty) this.empty.hidden = rows.length > 0;
    else this.box.hidden = !rows.length;
    const shown = rows.filter(this.game.FILTERS[this.filter]);
    const List = this.game.List ?? LobbyList;
    render(rows.length ? html`<${List} game=${this.game} rows=${shown} own=${this.box.dataset.own} />` : null, this.mount);
  }

  /** The state of the line in a word; after its end with the way out. */
  say(word, live, out = null) {
    if (!this.state) return;
    this.state.replaceChildren(word, ...(out ? [" ", out] : []));
    this.state.classList.toggle("live-on", live);
  }

  #listenToFilters() {
    if (!this.filters) return;
    delete this.filters.dataset.waits;
    this.filters.addEventListener("click", (event) => this.#choose(event.target.closest("[data-filter]")));
  }

  #choose(button) {
    if (!button) return;
    this.filter = button.dataset.filter;
    for (const other of this.filters.querySelectorAll("[data-filter]")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    this.show(this.rows);
  }
}

async function listIn(box) {
  return new LiveList(box, await import(box.dataset.module));
}

// A list whose module does not come keeps the rows that the page brought.
const loaded = await Promise.allSettled([...document.querySelectorAll("[data-lobby]")].map(listIn));
const lists = loaded.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
const known = new LobbyRows(JSON.parse(document.getElementById("lobby-view").textContent));

/** games: the rows of each game, by its slug. */
function show(games) {
  for (const list of lists) list.show(list.game.pick?.(games) ?? games[list.slug] ?? []);
}

function hear(frame) {
  if (known.take(frame)) socket.beat();
  show(known.games);
}

const LINKS = { open: "live", lost: "reconnecting…" };

function showLink(link, words, way) {
  for (const list of lists) {
    list.say(LINKS[link] ?? words, link === "open", link === "ended" ? wayOutButton(way, () => socket.resume()) : null);
  }
}

show(known.games);
const socket = new LiveSocket("/ws/lobby/", {
  beat: () => known.beat(),
  onOpen: () => known.begin(),
  onFrame: hear,
  onLink: showLink,
  isPublic: true,
});
