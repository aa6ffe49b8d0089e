// The frame of every board: connection, sound, spectators, errors.
import { html, useState } from "preact";
import { Icon } from "rr/icon";
import { NextGame } from "rr/board/next-game";
import { useTable } from "rr/board/parts";
import { PracticeAgain, PracticeLost, PracticeStrip } from "rr/board/practice";
import { Timeline } from "rr/replays/replay";
import * as sound from "rr/board/sound";
import { wayOut } from "rr/live-socket";

const LINKS = {
  open: ["live", "live"],
  connecting: ["lost", "joining…"], // as narrow as "live": a phone's head stays on one line
  lost: ["lost", "reconnecting…"],
  ended: ["lost", "disconnected"],
  late: ["lost", "no answer"],
  replay: ["replay", "replay"],
};

/** Whether the board is out of use: it is while there is no connection. */
export function isInert({ link }) {
  return link !== "open" && link !== "replay";
}

/** The parts that work without a connection: fields, folds, and the cross of a question. */
const WRITABLE = "input, textarea, select, label, summary, [aria-label=Close]";

function stop(event) {
  if (event.type === "click" && event.target.closest(WRITABLE)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The part on which one plays. Without a connection its buttons are out of use; what is being written goes on. */
export function Play({ children }) {
  const isOff = isInert(useTable().state);
  const off = isOff ? stop : undefined;
  return html`<div class=${isOff ? "play is-inert" : "play"} aria-disabled=${isOff ? "true" : undefined} onClickCapture=${off} onSubmitCapture=${off}>${children}</div>`;
}

export function LinkBadge() {
  const { state, config } = useTable();
  const [look, word] = state.link === "open" && state.late.size ? LINKS.late : LINKS[state.link];
  const isForEars = config.practice && look === "live"; // a private game; only trouble is worth the room
  return html`<span class=${`link-badge is-${look}${isForEars ? " sr" : ""}`} role="status">${look === "live" ? html`<i class="live-dot" />` : html`<${Icon} name=${look === "replay" ? "history" : "wifi-off"} />`}${word}</span>`;
}

export function SoundButton() {
  const [isOn, set] = useState(sound.isOn());
  return html`<button type="button" class="btn btn-icon" aria-pressed=${isOn} aria-label="Sound" onClick=${() => set(sound.toggle())}><${Icon} name=${isOn ? "volume-2" : "volume-x"} /></button>`;
}

/** The table's name; which game of the same people it is stands beside it. */
export function TableTitle() {
  const { title } = useTable().view.match;
  const [, name, number] = /^(.*), game (\d+)$/.exec(title) ?? [null, title, null];
  return html`<h1 title=${title}><bdi>${name}</bdi>${number && html`<span class="sr">, game </span><span class="tag num">${number}</span>`}</h1>`;
}

/** The line, the spectators and the sound; between them what the game adds. Practice has no spectators. */
export function HeadTools({ children }) {
  const { view, controls, config } = useTable();
  return html`<div class="cluster">
    ${config.practice && html`<${PracticeStrip} />`}
    <${LinkBadge} />
    ${!config.practice && !config.replay && html`<span class="pill"><${Icon} name="eye" /><b class="num">${view.match.watching}</b><span class="pill-word"> watching</span></span>`}
    ${children}${!config.replay && html`<${NextGame} />`}
    <button type="button" class="btn btn-icon only-wide" aria-label="Keys" onClick=${() => controls.setUi({ dialog: "help" })}><${Icon} name="circle-help" /></button>
    <${SoundButton} />
  </div>`;
}

function linkWords({ link, linkText, late, view }) {
  const due = view.due_at ?? view.ends_at;
  if (link === "lost" && linkText) return `${linkText}${due ? " The clock runs on." : ""}`;
  if (link !== "open" && linkText) return linkText;
  if (!late.size) return "";
  return "No connection. Your move is sent as soon as it is back.";
}

/** A link or a button for the viewer after the end of a connection. */
function WayOut() {
  const { state, config, resume } = useTable();
  if (state.link !== "ended") return null;
  if (state.linkWay === "practice") return html`<${PracticeAgain} />`;
  const { words, href, press } = wayOut(state.linkWay, resume);
  if (press) return html`<button type="button" class="btn" onClick=${press}>${words}</button>`;
  return html`<a class="btn" href=${state.linkWay === "login" ? config.login_url : href}>${words}</a>`;
}

/** The state of the connection in words, or a replay's timeline; also the state of a practice. */
export function LinkNotice() {
  const { config } = useTable();
  if (config.replay) return html`<${Timeline} />`;
  return html`<${LineNotice} />${config.practice && html`<${PracticeLost} />`}`;
}

/** Lies over the board, which keeps its place. */
function LineNotice() {
  const { state } = useTable();
  const words = linkWords(state);
  return html`<div class="link-slot">${words && html`<div class="notice notice-error link-notice" role="alert"><${Icon} name="wifi-off" /><span>${words}</span><${WayOut} /></div>`}</div>`;
}

/** A refusal, shown below the dock, where it covers nothing. */
export function Toasts() {
  const { state, controls } = useTable();
  return html`<div class="toasts" role="alert">${state.toasts.map((toast) => html`<div key=${toast.key} class=${`toast toast-${toast.tone}`}><${Icon} name="triangle-alert" /><span>${toast.text}</span><button type="button" class="btn btn-icon" aria-label="Close" onClick=${() => controls.dropToast(toast.key)}><${Icon} name="x" /></button></div>`)}</div>`;
}

/** Copies this page's address. */
export function CopyLink({ look = "btn" }) {
  const [said, say] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say("Link copied");
    } catch {
      say(location.href);
    }
  };
  return html`<button type="button" class=${look} onClick=${copy}><${Icon} name="link" />Copy invite link</button><span class="small muted" role="status">${said}</span>`;
}
