// The page of board settings: a change counts at once; without script the form stores all of them.
import { play } from "rr/board/sound";
import { choose, setting } from "rr/settings";

const form = document.querySelector("[data-board-form]");
const saved = form.querySelector("[data-saved]");
const save = form.querySelector("[type=submit]");
const sample = form.querySelector("[data-try-sound]");

for (const field of form.querySelectorAll("input[name]:not([type=hidden])")) {
  if (field.type === "checkbox") field.checked = setting(field.name);
  else field.value = setting(field.name);
  field.addEventListener("change", async () => {
    const isStored = await choose(field.name, field.type === "checkbox" ? field.checked : Number(field.value));
    saved.textContent = isStored ? "Saved." : "Not saved. Try again.";
  });
}
if (save) save.hidden = true;
sample.hidden = false;
sample.addEventListener("click", () => {
  if (setting("has_sound")) play("win");
  else saved.textContent = "Sounds are off.";
});
