// The page of proofs: fetches the proof of the named match and checks it here.
import { verify } from "rr/proof/verify";

const form = document.querySelector("[data-proof-form]");
const list = document.querySelector("[data-proof-said]");

function say(text, tone) {
  const line = document.createElement("li");
  const tag = document.createElement("span");
  tag.className = `tag tag-${tone}`;
  tag.textContent = tone === "good" ? "ok" : "wrong";
  line.append(tag, " ", text);
  list.append(line);
}

/** The last part of an address of a match, or what was typed. */
const nameOf = (typed) => typed.trim().replace(/\/+$/, "").split("/").pop();

async function check(event) {
  event?.preventDefault();
  list.replaceChildren();
  const name = nameOf(form.elements.match.value);
  if (!name) return;
  if (!globalThis.crypto?.subtle) return void say("Your browser does not hash here: it needs https.", "bad");
  const answer = await fetch(form.dataset.proofForm.replace("MATCH", encodeURIComponent(name)));
  if (answer.status === 429) return void say("Too many proofs at once: try again in a moment.", "bad");
  if (!answer.ok) return void say("There is no proof of this match for you: is it over, and did you play if it is not listed?", "bad");
  try {
    for await (const said of verify(await answer.json())) say(said, "good");
  } catch (wrong) {
    say(wrong.message, "bad");
  }
}

form.addEventListener("submit", check);
check();
