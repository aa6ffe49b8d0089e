// The board on the front page: its script comes with the first look at it, the game with the first throw.
const door = document.querySelector("[data-door]");

function load() {
  return import(door.dataset.door);
}

async function begin(event) {
  const card = event.target.closest("[data-throw]");
  if (!card) return;
  for (const other of door.querySelectorAll("[data-throw]")) other.disabled = true;
  card.setAttribute("aria-busy", "true");
  const { open } = await load();
  open(card.dataset.throw);
  if (event.detail === 0) door.focus({ preventScroll: true });
  requestAnimationFrame(() => door.scrollIntoView({ block: "nearest" }));
}

door.addEventListener("pointerenter", load, { once: true });
door.addEventListener("focusin", load, { once: true });
door.addEventListener("click", begin);
