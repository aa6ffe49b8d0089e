// The page of notifications: this browser's switch, and its time zone as a first proposal.
import { isOn, isPossible, turnOff, turnOn } from "rr/notices/push";

const place = document.querySelector("[data-push]");
const { push: key, pushUrl: url } = place.dataset;
const state = place.querySelector("[data-push-state]");
const on = place.querySelector("[data-push-on]");
const off = place.querySelector("[data-push-off]");
const WORDS = {
  on: "On.",
  off: "Off.",
  denied: "Your browser blocks notifications of this site. Allow them in its settings.",
  failed: "That did not work. Try again later.",
  unknown: "The site did not answer. Reload this page to see whether they are on.",
  never: "This browser has no notifications.",
};

function show(word) {
  state.textContent = WORDS[word];
  on.hidden = !["off", "failed"].includes(word);
  off.hidden = word !== "on";
}

async function look() {
  if (!isPossible()) return show("never");
  if (Notification.permission === "denied") return show("denied");
  try {
    return show((await isOn(url)) ? "on" : "off");
  } catch {
    return show("unknown");
  }
}

if (key) {
  on.addEventListener("click", async () => show(await turnOn(url, key)));
  off.addEventListener("click", async () => {
    await turnOff(url).catch(() => {});
    look();
  });
  look();
}

const zone = document.querySelector("[name=time_zone]");
if (zone.value === "UTC") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
