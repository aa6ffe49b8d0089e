// The viewer's preference for each option of a round, as a chip: any, on or off.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { capital } from "rr/board/wording";
import { isNew, preferenceOf } from "rr/arena/store";
import { ABOUT, OPTIONS } from "rr/arena/words";

const NEXT = { any: "on", on: "off", off: "any" };

function Chip({ option }) {
  const { state, controls } = useTable();
  const set = preferenceOf(state, option);
  return html`<button type="button" class=${`chip wish wish-${set}`} title=${ABOUT[option]} aria-label=${`${capital(option)}: ${set}`} aria-busy=${Boolean(state.preferred[option])} onClick=${() => controls.prefer(option, NEXT[set])}>${capital(option)} <b>${set}</b></button>`;
}

/** The wishes in one row: those that are not "any". */
function Row() {
  const { state } = useTable();
  const chosen = OPTIONS.map((option) => [option, preferenceOf(state, option)]).filter(([, set]) => set !== "any");
  return html`<span class="wish-row small">${chosen.length ? chosen.map(([option, set]) => html`<span key=${option} class=${`tag wish-${set}`}>${capital(option)} <b>${set}</b></span>`) : html`<span class="muted">any</span>`}</span>`;
}

export function Wishes() {
  const { view, config } = useTable();
  return html`<details class="panel wishes"><summary><h2>Your options</h2><${Row} /></summary>
    <p class="small muted">Press: on, off, any. Each round one player is drawn, whose options apply; “any” keeps what was.${isNew(view, config) ? ` Your first ${config.plain_rounds} rounds draw nothing from you.` : ""}</p>
    <div class="wish-chips" role="group" aria-label="Your options">${OPTIONS.map((option) => html`<${Chip} key=${option} option=${option} />`)}</div>
    <details class="fold"><summary>What they do</summary><dl class="wish-about">${OPTIONS.map((option) => html`<div key=${option}><dt>${capital(option)}</dt><dd>${ABOUT[option]}</dd></div>`)}</dl></details>
  </details>`;
}
