// The user's own line: the balance in the header and the tables that wait, on every page.
import ReconnectingWebSocket from "partysocket";

const SEEN_EVERY = 15_000;
/** Close codes after which trying again by itself would be wrong. */
const ENDINGS = [4401, 4403, 4409];
let revision = 0;

function showBalance(balance) {
  for (const place of document.querySelectorAll("[data-balance], [data-balance-copy]")) {
    place.textContent = String(balance);
  }
  document.dispatchEvent(new CustomEvent("rr:balance", { detail: { balance } }));
}

function entry(need) {
  const link = document.createElement("a");
  const what = document.createElement("small");
  link.href = need.url;
  link.textContent = need.title;
  what.textContent = need.what;
  link.append(what);
  return link;
}

function showNeeds(needs) {
  const bell = document.querySelector("[data-bell]");
  if (!bell) return;
  bell.hidden = needs.length === 0;
  bell.querySelector("[data-bell-count]").textContent = String(needs.length);
  bell.querySelector("[data-bell-list]").replaceChildren(...needs.map(entry));
  const words = needs.length === 1 ? "1 table waits for you" : `${needs.length} tables wait for you`;
  bell.querySelector("summary").setAttribute("aria-label", words);
}

function hear(event) {
  const frame = JSON.parse(event.data);
  if (frame.type !== "me") return;
  revision = frame.revision;
  showBalance(frame.balance);
  // The table one is at needs no bell.
  showNeeds(frame.needs_you.filter((need) => need.url !== location.pathname));
}

function listen() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new ReconnectingWebSocket(`${scheme}://${location.host}/ws/me/`, [], {
    minReconnectionDelay: 300 + Math.random() * 700,
    maxReconnectionDelay: 8000,
    reconnectionDelayGrowFactor: 1.6,
  });
  socket.addEventListener("message", hear);
  socket.addEventListener("close", (event) => {
    if (ENDINGS.includes(event.code)) socket.close();
  });
  setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "seen", revision }));
  }, SEEN_EVERY);
}

listen();
