// A recorded game on the front page: it moves while it can be seen, until somebody pauses it.
const LEAST = 1_600; // milliseconds that a moment can be read
const LAST = 5_000;

const box = document.querySelector("[data-demo]");
const button = box.querySelector("[data-demo-pause]");
const words = box.querySelector("[data-demo-words]");
let isPaused = matchMedia("(prefers-reduced-motion: reduce)").matches;
let isSeen = false;
let timer = 0;
let demo = null;

async function load() {
  const [answer, script] = await Promise.all([fetch(box.dataset.demo), import(box.dataset.script)]);
  return { moments: await answer.json(), show: script.show, place: 0 };
}

function draw() {
  const [, view] = demo.moments[demo.place];
  box.querySelector("[data-demo-wait]")?.remove();
  demo.show(box.querySelector("[data-demo-mount]"), view);
  words.textContent = view.log.map((line) => line.text).join(" ");
}

function step() {
  draw();
  clearTimeout(timer);
  if (isPaused || !isSeen) return;
  const next = (demo.place + 1) % demo.moments.length;
  const pause = next ? Math.max(LEAST, demo.moments[next][0]) : LAST;
  timer = setTimeout(() => {
    demo.place = next;
    step();
  }, pause);
}

function say() {
  button.setAttribute("aria-pressed", String(isPaused));
  button.hidden = false;
}

async function seen(entries) {
  isSeen = entries.some((entry) => entry.isIntersecting);
  if (isSeen) demo ??= await load();
  if (demo) step();
}

button.addEventListener("click", () => {
  isPaused = !isPaused;
  say();
  step();
});
new IntersectionObserver(seen).observe(box);
say();
