// The viewer's preference for each option of a round: on, off or don't care.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { capital } from "rr/board/wording";
import { ABOUT, OPTIONS } from "rr/arena/words";

const VALUES = [["on", "On"], ["off", "Off"], ["any", "Don’t care"]];

function Wish({ option }) {
  const { view, controls } = useTable();
  const set = view.you.preferences?.[option] ?? "any";
  return html`<div class="wish" role="group" aria-labelledby=${`wish-${option}`} aria-describedby=${`wish-${option}-about`}>
    <p><b id=${`wish-${option}`}>${capital(option)}</b><small id=${`wish-${option}-about`}>${ABOUT[option]}</small></p>
    <div class="wish-values">${VALUES.map(([value, word]) => html`<button key=${value} type="button" aria-pressed=${set === value} onClick=${() => controls.prefer(option, value)}>${word}</button>`)}</div>
  </div>`;
}

export function Wishes() {
  return html`<section class="panel wishes" aria-labelledby="wishes-heading">
    <header class="panel-head"><h2 id="wishes-heading">Your wishes</h2></header>
    <p class="small muted wishes-about">As a round begins one of the players is drawn, and that player’s wishes hold. What nobody cares about stays as it was.</p>
    <div class="wish-list">${OPTIONS.map((option) => html`<${Wish} key=${option} option=${option} />`)}</div>
  </section>`;
}
