// The arena's panel on the front page: how many are in, looked at again while the page is in sight.

const LOOK_EVERY = 10_000;

/** "37 people and 2 bots", or that nobody is in. */
export function crowdWords({ people, bots }) {
  if (!people) return "Quiet now. Join to start a round.";
  const there = people === 1 ? "1 person is in" : `${people.toLocaleString("en")} people are in`;
  return bots ? `${there}, with ${bots === 1 ? "a bot" : `${bots} bots`} for company` : there;
}

async function look(panel) {
  if (document.hidden) return;
  try {
    const answer = await fetch(panel.dataset.crowd);
    if (answer.ok) panel.querySelector("[data-crowd-words]").textContent = crowdWords(await answer.json());
  } catch {
    // The line is down: the number stays as it was.
  }
}

export function watchPanels() {
  for (const panel of document.querySelectorAll("[data-crowd]")) setInterval(() => look(panel), LOOK_EVERY);
}

if (globalThis.document) watchPanels();
