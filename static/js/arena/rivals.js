// The ten best streaks with the viewer's own, the streaks that broke, and the season.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { signed } from "rr/board/wording";
import { isIn } from "rr/arena/store";
import { brokenLine, seasonHeading } from "rr/arena/words";

const FLAME = 3; // from this streak on a won round scores more

function Row({ place, name, streak, isOwn, onPress }) {
  return html`<li class=${isOwn ? "rival is-me" : "rival"}>
    <span class="num muted">${place}</span>
    ${isOwn ? html`<b>${name} <span class="muted">(you)</span></b>` : html`<button type="button" class="rival-name" aria-haspopup="dialog" onClick=${onPress}>${name}</button>`}
    <b class="num">${streak >= FLAME && html`<${Icon} name="flame" />`}${signed(streak)}</b>
  </li>`;
}

/** The rows with their places; equal streaks share one. */
export function placed(streaks) {
  return streaks.map((row) => ({ ...row, place: 1 + streaks.filter((other) => other.streak > row.streak).length }));
}

/** The viewer's own row below the others, null where it is among them or there is none. */
export function pinned(view, name) {
  if (!isIn(view) || view.streaks.some((row) => row.name === name)) return null;
  return { place: view.you.streak_place ?? "–", name, streak: view.you.streak };
}

export function Rivals() {
  const { view, state, config, controls } = useTable();
  const rows = placed(view.streaks).filter((row) => !state.blocked.includes(row.name));
  const own = pinned(view, config.name);
  const broken = view.broken.filter((one) => !state.blocked.includes(one.of) && !state.blocked.includes(one.by));
  return html`<section class="panel rivals" aria-labelledby="rivals-heading">
    <header class="panel-head"><h2 id="rivals-heading">Best streaks</h2><span class="small muted">in the arena now</span></header>
    ${rows.length ? html`<ol class="rival-list">${rows.map((row) => html`<${Row} key=${row.name} ...${row} isOwn=${row.name === config.name} onPress=${() => controls.open("name", row.name)} />`)}</ol>` : html`<p class="muted pad">No streak yet: win a round.</p>`}
    ${own && html`<ol class="rival-list rival-own"><${Row} ...${own} isOwn=${true} /></ol>`}
    ${broken.length > 0 && html`<ul class="rival-broken">${broken.map((one) => html`<li key=${one.of}><${Icon} name="flame" />${brokenLine(one)}</li>`)}</ul>`}
  </section>`;
}

export function Season() {
  const { view } = useTable();
  const { season } = view;
  if (!season) return null;
  const { leaders, last } = season;
  return html`<section class="panel season" aria-labelledby="season-heading">
    <header class="panel-head"><h2 id="season-heading"><${Icon} name="trophy" />${seasonHeading(season)}</h2></header>
    ${season.is_running && (leaders.length ? html`<ol class="rival-list">${leaders.map((one, index) => html`<li key=${one.name} class="rival"><span class="num muted">${index + 1}</span><b>${one.name}</b><b class="num">${signed(one.score)}</b></li>`)}</ol>` : html`<p class="muted pad">No points yet. Rounds with four people or more count.</p>`)}
    ${last && html`<p class="small pad">Last winner: <b>${last.name}</b>, <span class="num">${signed(last.score)}</span></p>`}
  </section>`;
}
