// The page of a story: its posts with their marks, and its link to hand on.
import { html, render } from "preact";
import { Marked } from "rr/mafia/marks";

const names = [...new Set([...document.querySelectorAll(".post-head b")].map((name) => name.textContent))];

for (const box of document.querySelectorAll("[data-post]")) {
  const text = box.textContent;
  box.replaceChildren();
  render(html`<${Marked} text=${text} names=${names} own="" />`, box);
}

const button = document.querySelector("[data-copy]");
const said = document.querySelector("[data-copied]");
button.hidden = false;
button.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    said.textContent = "Link copied";
  } catch {
    said.textContent = location.href;
  }
});
