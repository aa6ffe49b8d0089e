// A recorded game on the front page: it moves while it can be seen, until somebody pauses it.
const LEAST = 1_600; // milliseconds that a moment can be read
const LAST = 5_000;

const box = document.querySelector("[data-reel]");
const button = box.querySelector("[data-reel-pause]");
const words = box.querySelector("[data-reel-words]");
let isPaused = matchMedia("(prefers-reduced-motion: reduce)").matches;
let isSeen = false;
let timer = 0;
let reel = null;

async function load() {
  const [answer, script] = await Promise.all([fetch(box.dataset.reel), import(box.dataset.script)]);
  return { moments: await answer.json(), show: script.show, place: 0 };
}

function draw() {
  const [, view] = reel.moments[reel.place];
  box.querySelector("[data-reel-wait]")?.remove();
  reel.show(box.querySelector("[data-reel-mount]"), view);
  words.textContent = view.log.map((line) => line.text).join(" ");
}

function step() {
  draw();
  clearTimeout(timer);
  if (isPaused || !isSeen) return;
  const next = (reel.place + 1) % reel.moments.length;
  const pause = next ? Math.max(LEAST, reel.moments[next][0]) : LAST;
  timer = setTimeout(() => {
    reel.place = next;
    step();
  }, pause);
}

function say() {
  button.setAttribute("aria-pressed", String(isPaused));
  button.hidden = false;
}

async function seen(entries) {
  isSeen = entries.some((entry) => entry.isIntersecting);
  if (isSeen) reel ??= await load();
  if (reel) step();
}

button.addEventListener("click", () => {
  isPaused = !isPaused;
  say();
  step();
});
new IntersectionObserver(seen).observe(box);
say();
