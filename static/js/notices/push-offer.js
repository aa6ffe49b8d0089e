// The offer of notifications at a board: once for an account, when the viewer has played a game, or waits
// in one with a long clock.
import { siteNow } from "rr/board/clock";
import { isPossible, noteAsked, turnOn } from "rr/notices/push";
import { pushUrl } from "rr/settings";

/** A clock this long, in milliseconds, is nobody's to sit out. */
const LONG = 3_600_000;
let isSettled = !pushUrl;
let isWanted = false; // by the last view: the answer may come later
let shown = null;

/** Whether the viewer has time to read it: after a game, or in one with a long clock. */
export function isWaiting(view, now = siteNow()) {
  if (view.you.seat === null) return false;
  if (view.game?.result) return true;
  return view.match.status === "running" && view.due_at !== null && Date.parse(view.due_at) - now > LONG;
}

function button(words, look, press) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: look, textContent: words });
  made.addEventListener("click", press);
  return made;
}

function show({ key }) {
  const box = document.createElement("aside");
  const words = document.createElement("p");
  const buttons = document.createElement("div");
  box.className = "push-offer panel";
  box.setAttribute("aria-label", "Notifications");
  words.setAttribute("role", "status");
  words.textContent = "Want to know when it is your turn? Get a notification, even with this page closed.";
  buttons.className = "form-end";
  const refuse = () => {
    box.remove();
    noteAsked(pushUrl).catch(() => {});
  };
  const accept = async () => {
    buttons.remove();
    const outcome = await turnOn(pushUrl, key);
    if (outcome !== "on") noteAsked(pushUrl).catch(() => {});
    words.textContent = outcome === "on" ? "Notifications are on. Change them in your settings." : "Notifications stay off. You can turn them on in your settings.";
    setTimeout(() => box.remove(), 6000);
  };
  buttons.append(button("No thanks", "btn", refuse), button("Turn on", "btn btn-brass", accept));
  box.append(words, buttons);
  document.getElementById("board").after(box); // in the page's flow: it covers nothing
  shown = box;
}

/** Offer notifications as soon as the viewer waits; the browser itself asks only after a press. */
export async function offerPush(view) {
  isWanted = isWaiting(view);
  if (!isWanted) shown?.remove();
  if (isSettled || !isWanted) return;
  isSettled = true;
  if (!isPossible() || Notification.permission !== "default") return;
  try {
    const answer = await fetch(pushUrl);
    const state = answer.ok ? await answer.json() : { asked: true };
    if (state.key && !state.asked && isWanted) show(state);
  } catch {
    // Offline: the next board asks.
  }
}
