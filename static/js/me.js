// The user's own line: the balance in the header and what waits, on every page.
import { siteClock } from "rr/board/clock";
import { LiveSocket, wayOutButton } from "rr/live-socket";
import { News, counted, isGame } from "rr/news";

/** Milliseconds for which a toast is shown; its text stays in the bell. */
const SHOWN_FOR = 12_000;
let revision = 0;
const news = new News(
  [...document.querySelectorAll("[data-bell-list] a")].map((link) => ({
    url: link.getAttribute("href"),
    what: link.querySelector("small")?.textContent ?? "",
  })),
);

function showBalance(balance) {
  for (const place of document.querySelectorAll("[data-balance], [data-balance-copy]")) {
    place.textContent = String(balance);
  }
  document.dispatchEvent(new CustomEvent("rr:balance", { detail: { balance } }));
}

function entry(need) {
  const link = document.createElement("a");
  const title = document.createElement("bdi");
  const what = document.createElement("small");
  link.href = need.url;
  title.textContent = need.title;
  what.textContent = need.what;
  link.append(title, what);
  return link;
}

function showNeeds(needs) {
  const bell = document.querySelector("[data-bell]");
  if (!bell) return;
  bell.hidden = needs.length === 0;
  bell.querySelector("[data-bell-count]").textContent = String(needs.length);
  bell.querySelector("[data-bell-list]").replaceChildren(...needs.map(entry));
  const words = needs.length === 1 ? "1 thing waits for you" : `${needs.length} things wait for you`;
  bell.querySelector("summary").setAttribute("aria-label", words);
}

function icon(name) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `${document.documentElement.dataset.sprite}#${name}`);
  picture.append(use);
  return picture;
}

/** The place for toasts, from the start: what is put into it later is read out.  A board has none:
    its title and its corners are its own. */
function makeToasts() {
  if (document.body.classList.contains("page-table")) return null;
  const place = document.createElement("div");
  place.className = "toasts";
  place.setAttribute("role", "status");
  document.body.append(place);
  return place;
}

function toastBox(look, picture, ...parts) {
  const box = document.createElement("div");
  const close = document.createElement("button");
  box.className = `toast ${look}`;
  close.type = "button";
  close.className = "btn btn-icon";
  close.setAttribute("aria-label", "Close");
  close.append(icon("x"));
  close.addEventListener("click", () => box.remove());
  box.append(icon(picture), ...parts, close);
  return box;
}

function toast(need) {
  const box = toastBox("toast-good", "bell", entry(need));
  box.dataset.toast = need.url;
  setTimeout(() => box.remove(), SHOWN_FOR);
  return box;
}

/** Tell of a table while nobody looks at the page, where notifications are on. */
async function notify(needs) {
  if (!document.hidden || globalThis.Notification?.permission !== "granted") return;
  const [{ isOn }, { pushUrl }] = await Promise.all([import("rr/notices/push"), import("rr/settings")]);
  if (!pushUrl || !(await isOn(pushUrl))) return;
  const registration = await navigator.serviceWorker.ready;
  for (const { title, what, url } of needs) registration.showNotification(title, { body: what, tag: url, data: { url } });
}

/** Show toasts for new tables that wait, remove old ones; show the count in the title. */
function announce(needs) {
  const fresh = news.of(needs);
  notify(fresh).catch(() => {});
  if (!toasts) return;
  const waiting = new Set(needs.map((need) => need.url));
  for (const box of [...toasts.children]) {
    if (!waiting.has(box.dataset.toast) || fresh.some((need) => need.url === box.dataset.toast)) box.remove();
  }
  toasts.append(...fresh.map(toast));
  document.title = counted(document.title, needs.length);
}

function hear(frame) {
  if (frame.type !== "me") return;
  revision = frame.revision;
  siteClock.hint(frame.now, Date.now());
  showBalance(frame.balance);
  // The table one is at needs no bell.
  const needs = frame.needs_you.filter((need) => need.url !== location.pathname);
  showNeeds(needs);
  document.dispatchEvent(new CustomEvent("rr:needs", { detail: { games: needs.filter(({ url }) => isGame(url)).length } }));
  announce(needs);
}

let notice = null;

/** Points and what waits are old from now on: say so.  A line put aside comes back with the next look. */
function showLink(link, words, way) {
  notice?.remove();
  notice = null;
  if (link !== "ended" || way === "here" || !toasts) return;
  const text = document.createElement("span");
  text.textContent = words;
  notice = toastBox("toast-bad", "wifi-off", text, wayOutButton(way, () => socket.resume()));
  toasts.append(notice);
}

function learn(frame, sentAt) {
  siteClock.learn(frame.now, sentAt, Date.now());
  document.dispatchEvent(new CustomEvent("rr:time"));
}

const toasts = makeToasts();
const socket = new LiveSocket("/ws/me/", {
  beat: () => ({ type: "seen", revision }),
  onFrame: hear,
  onAnswer: learn,
  onLink: showLink,
});
