// Pages of contests and events follow what others do: the etag is asked for, and once it is another one, the
// parts of the page that have changed are taken from a new one.  A form that is open is left alone.

import { localise } from "rr/times";

const box = document.querySelector("[data-etag]");
const EVERY = Number(box.dataset.every ?? 4_000);
/** Milliseconds within which all pages look at news: many have an event open. */
const SPREAD = Number(box.dataset.spread ?? 0);
let etag = box.dataset.etag;
let isAsking = false;

/** The text of a part, without the token of its forms, which differs each time. */
function said(part) {
  const copy = part.cloneNode(true);
  for (const token of copy.querySelectorAll("[name=csrfmiddlewaretoken]")) token.remove();
  for (const fold of copy.querySelectorAll("details")) fold.removeAttribute("open");
  return copy.innerHTML;
}

/** Whether the user has an open form in a part. */
function isInUse(part) {
  return part.querySelector("details[open] form") !== null;
}

/** A selector of the element with the focus, to find it again in a new part. */
function mark(element) {
  const form = element.closest("form");
  if (form) return `form[action="${CSS.escape(form.getAttribute("action") ?? "")}"] button`;
  if (element.matches("a[href]")) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
  return element.matches("summary") ? "summary" : null;
}

function replace(part, fresh) {
  if (isInUse(part) || said(part) === said(fresh)) return;
  const held = part.contains(document.activeElement) ? mark(document.activeElement) : null;
  part.replaceWith(fresh);
  if (held === null) return;
  const again = fresh.querySelector(held) ?? fresh.querySelector("h2");
  if (again?.matches("h2")) again.tabIndex = -1;
  again?.focus({ preventScroll: true });
}

/** Take the viewer into a game that has begun with them, as a table does; not who wants to stay. */
function enter(page) {
  if (document.querySelector("[data-stay]:checked")) return;
  const fresh = page.querySelector("[data-enter]")?.dataset.enter;
  if (!fresh || fresh === document.querySelector("[data-enter]")?.dataset.enter) return;
  if (![...document.querySelectorAll("[data-live]")].some(isInUse)) location.assign(fresh);
}

/** The player's own part of the next game's chance goes along with readiness. */
function addSalt(event) {
  const salt = event.target.elements.salt;
  if (!salt) return;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  salt.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function take() {
  const answer = await fetch(box.dataset.page + location.search);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("[data-etag]");
  if (!fresh) return;
  localise(page);
  enter(page);
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (other) replace(part, document.adoptNode(other));
  }
  etag = fresh.dataset.etag;
}

async function look() {
  if (isAsking || document.hidden) return;
  isAsking = true;
  try {
    const answer = await fetch(box.dataset.etagUrl);
    if (answer.ok && (await answer.json()).etag !== etag) await take();
  } catch {
    // The site does not answer: the next poll may succeed.
  } finally {
    isAsking = false;
  }
}

setInterval(look, EVERY);
// A part that was not updated because of an open form is updated when it is closed.
document.addEventListener(
  "toggle",
  (event) => {
    if (event.target.open || !event.target.closest("[data-live]")) return;
    etag = "";
    look();
  },
  true,
);
document.addEventListener("visibilitychange", look);
// The user's needs have changed: mostly a game has begun.
document.addEventListener("rr:needs", () => setTimeout(look, SPREAD * Math.random()));

const invite = document.querySelector("[data-copy]");
if (invite) {
  const said = document.querySelector("[data-copied]");
  const link = location.origin + location.pathname;
  invite.hidden = false;
  invite.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = "Copied: send it to a friend";
    } catch {
      said.textContent = link;
    }
  });
}
document.addEventListener("submit", addSalt);
