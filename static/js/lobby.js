// The lobby's list, kept up to date over its socket.
import { html, render } from "preact";
import ReconnectingWebSocket from "partysocket";
import { FILTERS, LobbyList } from "rr/lobby-list";

const SEEN_EVERY = 15_000; // the server closes a line that is silent for 45 s
const mount = document.querySelector("[data-lobby]");
const empty = document.querySelector("[data-lobby-empty]");
const state = document.querySelector("[data-lobby-state]");
const filters = document.querySelector("[data-lobby-filters]");
let tables = JSON.parse(document.getElementById("lobby-view").textContent).tables;
let filter = "all";
let revision = 0;

function tableUrl(publicId) {
  return mount.dataset.tableUrl.replace("PUBLIC_ID", encodeURIComponent(publicId));
}

function draw() {
  empty.hidden = tables.length > 0;
  const shown = tables.filter(FILTERS[filter]);
  render(tables.length ? html`<${LobbyList} tables=${shown} tableUrl=${tableUrl} />` : null, mount);
}

function say(word, live) {
  state.textContent = word;
  state.classList.toggle("live-on", live);
}

function hear(event) {
  const frame = JSON.parse(event.data);
  if (frame.type !== "lobby") return;
  ({ tables, revision } = frame);
  draw();
}

function listen() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new ReconnectingWebSocket(`${scheme}://${location.host}/ws/lobby/`, [], {
    minReconnectionDelay: 300 + Math.random() * 700,
    maxReconnectionDelay: 8000,
    reconnectionDelayGrowFactor: 1.6,
  });
  socket.addEventListener("open", () => say("live", true));
  socket.addEventListener("close", () => say("reconnecting…", false));
  socket.addEventListener("message", hear);
  setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "seen", revision }));
  }, SEEN_EVERY);
}

function choose(event) {
  const button = event.target.closest("[data-filter]");
  if (!button) return;
  filter = button.dataset.filter;
  for (const other of filters.querySelectorAll("[data-filter]")) {
    other.setAttribute("aria-pressed", String(other === button));
  }
  draw();
}

if (filters) {
  filters.hidden = false;
  filters.addEventListener("click", choose);
}
mount.replaceChildren();
draw();
listen();
