// The lobby's lists, kept up to date over its socket: tables, duels, or both on one page.
import { html, render } from "preact";
import ReconnectingWebSocket from "partysocket";
import { DUEL_FILTERS, DuelList } from "rr/duel/list";
import { FILTERS, LobbyList } from "rr/showdown/list";

const SEEN_EVERY = 15_000; // the server closes a line that is silent for 45 s
/** What a page's list may hold: how it is drawn and how it can be narrowed. */
const KINDS = {
  tables: { List: LobbyList, filters: FILTERS },
  duels: { List: DuelList, filters: DUEL_FILTERS },
};

/** One list of the page, in the box that names its kind. */
class LiveList {
  constructor(box) {
    this.box = box;
    this.kind = box.dataset.lobby;
    this.mount = box.querySelector("[data-lobby-rows]");
    this.empty = box.querySelector("[data-lobby-empty]");
    this.state = box.querySelector("[data-lobby-state]");
    this.filters = document.querySelector(`[data-lobby-filters="${this.kind}"]`);
    this.filter = "all";
    this.mount.replaceChildren();
    this.#listenToFilters();
  }

  show(rows) {
    this.rows = rows;
    const { List, filters } = KINDS[this.kind];
    const rowUrl = (publicId) => this.box.dataset.url.replace("PUBLIC_ID", encodeURIComponent(publicId));
    this.empty.hidden = rows.length > 0;
    render(rows.length ? html`<${List} rows=${rows.filter(filters[this.filter])} rowUrl=${rowUrl} own=${this.box.dataset.own} />` : null, this.mount);
  }

  say(word, live) {
    this.state.textContent = word;
    this.state.classList.toggle("live-on", live);
  }

  #listenToFilters() {
    if (!this.filters) return;
    this.filters.hidden = false;
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

const lists = [...document.querySelectorAll("[data-lobby]")].map((box) => new LiveList(box));
let revision = 0;

function show(lobby) {
  for (const list of lists) list.show(lobby[list.kind] ?? []);
}

function hear(event) {
  const frame = JSON.parse(event.data);
  if (frame.type !== "lobby") return;
  ({ revision } = frame);
  show(frame);
}

function listen() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new ReconnectingWebSocket(`${scheme}://${location.host}/ws/lobby/`, [], {
    minReconnectionDelay: 300 + Math.random() * 700,
    maxReconnectionDelay: 8000,
    reconnectionDelayGrowFactor: 1.6,
  });
  socket.addEventListener("open", () => lists.forEach((list) => list.say("live", true)));
  socket.addEventListener("close", () => lists.forEach((list) => list.say("reconnecting…", false)));
  socket.addEventListener("message", hear);
  setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "seen", revision }));
  }, SEEN_EVERY);
}

show(JSON.parse(document.getElementById("lobby-view").textContent));
listen();
