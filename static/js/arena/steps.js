// Stepping through rounds of the arena: the arrow keys follow the page's links, and play goes on alone.
import { isAside, isTyping } from "rr/board/keys";

const STEP_FOR = 3000; // milliseconds
const PLAYING = "rr.arena.playing"; // kept over pages, in this tab
const button = document.querySelector("[data-play]");
const linkTo = (rel) => document.querySelector(`a[rel=${rel}]`);
let timer = null;

function show(isPlaying) {
  button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  button.setAttribute("aria-pressed", String(isPlaying));
}

function pause() {
  clearTimeout(timer);
  timer = null;
  sessionStorage.removeItem(PLAYING);
  show(false);
}

function play() {
  if (!linkTo("next")) return pause();
  sessionStorage.setItem(PLAYING, "1");
  timer = setTimeout(() => linkTo("next").click(), STEP_FOR);
  return show(true);
}

button.hidden = !linkTo("next");
button.addEventListener("click", () => (timer ? pause() : play()));
document.addEventListener("keydown", (event) => {
  if (isAside(event) || isTyping(event.target)) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (rel) linkTo(rel)?.click();
});
if (sessionStorage.getItem(PLAYING)) play();
