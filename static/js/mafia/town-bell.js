// The switch in the lobby for notifications of towns that people open; asked for only once it is opened.
import { isOn, isPossible, tell, turnOn } from "rr/notices/push";

const bell = document.querySelector("[data-town-bell]");
const url = bell.dataset.townBell;
const box = bell.querySelector("input");
const said = bell.querySelector("[role=status]");
const FAILED = "That did not work. Try again later.";
let key = null;

async function look() {
  try {
    const state = await (await fetch(url)).json();
    key = state.key;
    if (!key) said.textContent = "This site does not send notifications.";
    else if (!isPossible()) said.textContent = "This browser has no notifications.";
    else {
      box.checked = state.town && (await isOn(url));
      box.disabled = false;
    }
  } catch {
    said.textContent = FAILED;
  }
}

/** Only this choice is taken back: other notifications of the browser stay. */
async function choose(isWanted) {
  const outcome = isWanted ? await turnOn(url, key) : "on";
  if (outcome === "denied") return "Your browser blocks notifications of this site.";
  if (outcome !== "on") return FAILED;
  await tell(url, { do: isWanted ? "town" : "no_town" });
  return isWanted ? "On." : "Off.";
}

bell.addEventListener("toggle", () => void (bell.open && key === null && look()));
box.addEventListener("change", async () => {
  said.textContent = await choose(box.checked).catch(() => FAILED);
  if (!["On.", "Off."].includes(said.textContent)) box.checked = !box.checked;
});
