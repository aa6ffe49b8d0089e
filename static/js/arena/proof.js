// On the page of a round: the browser itself checks the round's proof.
// Without a secure context it cannot; the program that does the same is linked on the page.
import { verify } from "rr/proofs/verify";

const place = document.querySelector("[data-proof]");
const list = document.querySelector("[data-proof-said]");

function conclude(text, tone) {
  place.textContent = text;
  place.classList.add(`tag-${tone}`);
}

async function check() {
  const answer = await fetch(place.dataset.proof);
  if (answer.status === 429) return conclude("too many at once: reload in a moment", "bad");
  if (!answer.ok) return conclude("no proof yet", "bad");
  try {
    for await (const said of verify(await answer.json())) list.append(Object.assign(document.createElement("li"), { textContent: said }));
  } catch (wrong) {
    return conclude(wrong.message, "bad");
  }
  return conclude("your browser has checked it", "good");
}

if (globalThis.crypto?.subtle) check();
else place.hidden = true;
