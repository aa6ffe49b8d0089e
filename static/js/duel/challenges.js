// The challenges on top of the lobby: looked at again when something waits for the user or does no more.

const LOOK_EVERY = 5_000; // while one is shown: its other side may withdraw it or change its terms
const box = document.querySelector("[data-challenges]");

const shown = (root) => [...root.querySelectorAll("[data-challenge]")].map((row) => row.dataset.challenge).join();

async function look() {
  try {
    const answer = await fetch(box.dataset.challenges);
    if (!answer.ok || answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
    // Unchanged rows are kept, so that a focused button keeps the focus.
    if (shown(fresh) !== shown(box)) box.replaceChildren(...fresh.childNodes);
  } catch {
    // The line is down: the rows stay as they were.
  }
}

document.addEventListener("rr:needs", look);
setInterval(() => {
  if (!document.hidden && shown(box)) look();
}, LOOK_EVERY);
