// The sealed read of those who watch, and of the dead: how suspicious each player is. Told to nobody before the end.
import { html, useEffect, useState } from "preact";
import { useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { refusal } from "rr/board/wording";
import { isRunning } from "rr/mafia/game";
import { post } from "rr/own-page";

export const STEPS = ["Not", "A little", "Quite", "Very"];

/** Whether the panel is shown. Whether the viewer may seal a read, the site says when it is opened. */
export function mayRead(view, config) {
  return isRunning(view) && Boolean(config.read_url && config.csrf) && !view.match.options.contest && !view.game.you?.is_alive;
}

/** The strengths that stand there: the viewer's own choice, else what was sealed today, for the seats that are asked. */
export function draftFor({ seats, sealed }, before) {
  return Object.fromEntries(seats.map((no) => [no, before[no] ?? sealed?.[no] ?? 0]));
}

/** {day, seats, sealed}, or {error}. guess: what is sealed first, null for nothing. */
async function ask({ read_url: url, csrf }, guess) {
  try {
    const sent = guess && post(url, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(guess) }, csrf);
    return await (await (sent ?? fetch(url))).json();
  } catch {
    return { error: { code: "busy" } };
  }
}

function Steps({ name, isDead, value, no, onChoose }) {
  return html`<div class="read-row" role="radiogroup" aria-labelledby=${`read-${no}`}>
    <span id=${`read-${no}`}><bdi>${name}</bdi>${isDead && html`<small class="muted"> dead</small>`}</span>
    <span class="read-steps">${STEPS.map((word, step) => html`<label key=${step}><input type="radio" name=${`read-${no}`} checked=${value === step} onChange=${() => onChoose(step)} /><span>${word}</span></label>`)}</span>
  </div>`;
}

export function SealedRead() {
  const { view, config } = useTable();
  const [isOpen, open] = useState(false);
  const [asked, take] = useState(null);
  const [draft, write] = useState({});
  const [problem, tell] = useState("");
  const follow = (answer) => {
    tell(answer.error ? refusal(answer.error) : "");
    if (answer.error) return;
    take(answer);
    write((before) => draftFor(answer, before));
  };
  useEffect(() => {
    if (isOpen) ask(config, null).then(follow);
  }, [isOpen, view.phase, view.game.living]);
  if (!mayRead(view, config)) return null;
  const seal = (event) => {
    event.preventDefault();
    ask(config, { day: asked.day, strengths: draft }).then(follow);
  };
  const isAlive = (no) => view.game.seats.find((seat) => seat.no === no).is_alive;
  const isSealed = asked?.sealed && asked.seats.every((no) => asked.sealed[no] === draft[no]);
  return html`<details class="panel pad fold sealed-read" onToggle=${(event) => open(event.currentTarget.open)}>
    <summary>Seal a read</summary>
    ${asked && html`<form class="options-form" onSubmit=${seal}>
      <p class="small muted">How suspicious is each player? Your read of the day is scored after the game. Nobody sees it before.</p>
      <div class="read-rows">${asked.seats.map((no) => html`<${Steps} key=${no} no=${no} name=${nameOf(view, no)} isDead=${!isAlive(no)} value=${draft[no]} onChoose=${(step) => write({ ...draft, [no]: step })} />`)}</div>
      <div class="form-end"><button type="submit" class="btn btn-brass" disabled=${isSealed}>${asked.sealed ? "Seal again" : "Seal"}</button></div>
    </form>`}
    <p class="small" role="status">${problem || (asked?.sealed ? `Sealed for day ${asked.day}. Nobody sees it before the end.` : "")}</p>
  </details>`;
}
