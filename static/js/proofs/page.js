// The page of proofs: fetches the proof that is named and checks it here.
import { seenOf } from "rr/board/salts";
import { compared, verify } from "rr/proofs/verify";

const form = document.querySelector("[data-proof-form]");
const list = document.querySelector("[data-proof-said]");

function say(text, tone) {
  const line = document.createElement("li");
  const tag = document.createElement("span");
  tag.className = `tag tag-${tone}`;
  tag.textContent = { good: "ok", bad: "wrong", plain: "look" }[tone];
  line.append(tag, " ", text);
  list.append(line);
}

/** The address of a proof, and the match's name: of an address of a match, a round or an event, or of a name. */
function proofOf(typed, { eventForm, proofForm, roundForm }) {
  const round = /\/arena\/rounds\/(\d+)/.exec(typed)?.[1];
  if (round) return [roundForm.replace("ROUND", round)];
  const event = /\/events\/([\w-]{22})/.exec(typed)?.[1];
  if (event) return [eventForm.replace("EVENT", event)];
  const name = typed.split(/[/?#]/).find((part) => /^[\w-]{22}$/.test(part)) ?? typed.trim();
  return [name && proofForm.replace("MATCH", encodeURIComponent(name)), name];
}

async function check(event) {
  event?.preventDefault();
  list.replaceChildren();
  const [address, name] = proofOf(form.elements.match.value, form.dataset);
  if (!address) return;
  if (!globalThis.crypto?.subtle) return void say("Your browser does not hash here: it needs https.", "bad");
  const answer = await fetch(address);
  if (answer.status === 429) return void say("Too many proofs at once: try again in a moment.", "bad");
  if (!answer.ok) return void say("There is no proof of this for you: is it over, and did you play if it is not listed?", "bad");
  try {
    const proof = await answer.json();
    for (const [said, tone] of name ? compared(proof, seenOf(name)) : []) say(said, tone);
    for await (const said of verify(proof)) say(said, "good");
  } catch (wrong) {
    say(wrong.message, "bad");
  }
}

form.addEventListener("submit", check);
check();
