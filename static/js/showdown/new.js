// Presets fill the form; the sum under it says what the numbers mean.

const form = document.querySelector("[data-new-table]");
const fields = ["seats", "ante", "target", "betting_clock", "round_clock", "largest_purse"];

function field(name) {
  return form.elements.namedItem(name);
}

function isChosen(preset) {
  return fields.every((name) => field(name).value === preset.dataset[name]);
}

function summarise() {
  const [seats, ante, target] = ["seats", "ante", "target"].map((name) => Number(field(name).value));
  const rounds = seats * (target - 1) + 1;
  form.querySelector("[data-sum]").textContent =
    seats && ante && target
      ? `Pot from the antes: ${seats * ante}. At most ${rounds} rounds.`
      : "";
  for (const preset of form.querySelectorAll(".preset")) {
    preset.setAttribute("aria-pressed", String(isChosen(preset)));
  }
}

function choose(preset) {
  for (const name of fields) field(name).value = preset.dataset[name];
  summarise();
}

if (form) {
  form.querySelector("[data-presets]").hidden = false;
  form.addEventListener("input", summarise);
  form.addEventListener("click", (event) => {
    const preset = event.target.closest(".preset");
    if (preset) choose(preset);
  });
  summarise();
}
