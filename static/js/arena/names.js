// The people in the arena: at most fifty names, bots marked, without the blocked ones.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { counted } from "rr/board/wording";
import { crowdLine } from "rr/arena/words";

function Person({ name }) {
  const { controls, config } = useTable();
  if (name === config.name) return html`<li class="tag who is-me">${name} <span class="muted">(you)</span></li>`;
  return html`<li><button type="button" class="chip who" aria-haspopup="dialog" onClick=${() => controls.open("name", name)}>${name}</button></li>`;
}

function One({ one }) {
  if (one.bot) return html`<li class="tag who"><${Icon} name="robot" />${one.name} <span class="muted">bot</span></li>`;
  return html`<${Person} name=${one.name} />`;
}

export function Names() {
  const { view, state, controls } = useTable();
  const shown = view.names.filter((one) => !state.blocked.includes(one.name));
  const rest = view.people + view.bots - view.names.length;
  return html`<section class="panel who-panel" aria-labelledby="who-heading">
    <header class="panel-head"><h2 id="who-heading">In the arena</h2><span class="muted small">${crowdLine(view)}</span></header>
    ${view.names.length ? html`<ul class="who-list">${shown.map((one) => html`<${One} key=${one.name} one=${one} />`)}</ul>` : html`<p class="muted pad">Nobody. The sand is raked and waiting.</p>`}
    ${rest > 0 && html`<p class="small muted pad">and ${counted(rest, "more", "more")}</p>`}
    ${state.blocked.length > 0 && html`<p class="figures-end"><button type="button" class="btn" onClick=${() => controls.open("blocked")}>${counted(state.blocked.length, "name")} blocked</button></p>`}
  </section>`;
}
