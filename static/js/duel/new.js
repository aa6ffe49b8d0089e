// Presets fill the form of a new duel, and a stake takes the rating away before the server does.
import { lengthWords } from "rr/board/wording";

const form = globalThis.document?.querySelector("[data-new-duel]");

function field(name) {
  return form.elements.namedItem(name);
}

function press(button) {
  field(button.dataset.field).value = button.dataset.value;
  summarise();
}

function markPresets() {
  for (const button of form.querySelectorAll("[data-field]")) {
    button.setAttribute("aria-pressed", String(field(button.dataset.field).value === button.dataset.value));
  }
}

/** The options in one line. */
export function sumWords({ bestOf, clock, stake, taxBp }) {
  const wins = `${(bestOf + 1) / 2} ${bestOf === 1 ? "win decides" : "wins decide"}`;
  const tax = Math.floor((2 * stake * taxBp) / 10_000);
  const house = tax ? `; ${tax} go to the house` : "";
  const money = stake ? ` The winner gets ${2 * stake - tax}${house}.` : "";
  return `${wins}; ${lengthWords(clock)} for each throw.${money}`;
}

function summarise() {
  const [bestOf, clock, stake] = ["best_of", "clock_seconds", "stake"].map((name) => Number(field(name).value));
  const rated = field("rated");
  rated.disabled = stake > 0;
  if (stake > 0) rated.checked = false;
  const isSound = bestOf % 2 === 1 && clock >= 5;
  form.querySelector("[data-sum]").textContent = isSound ? sumWords({ bestOf, clock, stake, taxBp: Number(form.dataset.tax) }) : "";
  markPresets();
}

if (form) {
  for (const group of form.querySelectorAll("[data-presets]")) group.hidden = false;
  form.addEventListener("input", summarise);
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-field]");
    if (button) press(button);
  });
  summarise();
}
