// Before a game: a seat, a purse, ready.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Opponents, SeatClock } from "rr/board/opponents";
import { ActButton, useLeft, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { Slider, clamp } from "rr/board/slider";
import { missingFor, purseFor, purseLimits } from "rr/showdown/betting";
import { Options } from "rr/showdown/options";

function Missing() {
  const { view } = useTable();
  const missing = missingFor(view);
  return html`<p class="notice notice-error">The ante is ${view.match.options.ante} and you have ${view.you.balance ?? 0}: ${missing} ${missing === 1 ? "point is" : "points are"} missing.</p>`;
}

/** The slider of a purse, and what it means; `value` is what it stands at without a wish. */
function PurseBox({ value, children }) {
  const { view, ui, controls } = useTable();
  const { least, most } = purseLimits(view);
  const purse = clamp(ui.purse ?? value, least, most);
  return html`<${Slider} name="purse" word="Purse" least=${least} most=${most} value=${purse} choose=${(wish) => controls.setUi({ purse: wish })} />
  <p class="small muted">You can lose no more than your purse in this game. You have <b class="num">${view.you.balance}</b>; <b class="num">${view.you.balance - purse}</b> stay in your wallet. Unbet points are returned.</p>
  ${children(purse)}`;
}

function Newcomer() {
  const { view, controls } = useTable();
  if (missingFor(view)) return html`<${Missing} />`;
  const free = view.seats.some((seat) => !seat.player);
  const sit = (purse) => controls.act("sit", { purse });
  return html`<${PurseBox} value=${purseFor(view)}>${(purse) => free && html`<div class="actions"><${ActButton} kind="sit" class="btn btn-brass" onPress=${() => sit(purse)}>Sit down with <b class="num">${purse}</b><//></div>`}<//>`;
}

/** The purse of a seated player: it can be changed until the game starts. */
function OwnPurse({ own }) {
  const { view, controls } = useTable();
  if (missingFor(view)) return html`<${Missing} />`;
  const bring = (purse) => {
    controls.setUi({ purse: null });
    controls.act("bring", { purse });
  };
  return html`${view.you.purse_cut > 0 && html`<p class="notice" role="status">Your purse was ${own.purse + view.you.purse_cut} in the last game. It is <b class="num">${own.purse}</b> now: that is all ${view.you.balance > own.purse ? "you may bring among bots today" : "you have"}.</p>`}
    <${PurseBox} value=${own.purse}>${(purse) => purse !== own.purse && html`<p><${ActButton} kind="bring" class="btn" onPress=${() => bring(purse)}>Bring <b class="num">${purse}</b> instead of <b class="num">${own.purse}</b><//></p>`}<//>`;
}

/** Point out a player who has just sat down. */
function NewFace() {
  const { view } = useTable();
  if (view.newcomer === null || view.newcomer === view.you.seat) return null;
  return html`<p class="small" role="status"><${Icon} name="user" /> <b>${nameOf(view, view.newcomer)}</b> has just sat down with a purse of <b class="num">${view.seats[view.newcomer].purse}</b>.</p>`;
}

function Seated() {
  const { view, controls } = useTable();
  const own = view.seats.find((seat) => seat.no === view.you.seat);
  const isShort = missingFor(view) > 0;
  const ready = own.ready
    ? html`<${ActButton} kind="unready" class="btn" onPress=${() => controls.act("unready")}>Cancel ready<//>`
    : html`<${ActButton} kind="ready" class="btn btn-brass" disabled=${isShort || !view.you.may.includes("ready")} onPress=${() => controls.act("ready", { configuration: view.match.options_revision })}><${Icon} name="check" />Ready<//>`;
  return html`<p>${own.ready ? "You are ready. The game starts when everyone is." : html`You bring <b class="num">${own.purse}</b>. It leaves your wallet when the game starts.`}</p>
    <${NewFace} /><${OwnPurse} own=${own} /><${SeatClock} />
    <div class="actions"><${ActButton} kind="stand" class="btn" onPress=${() => controls.act("stand")}>Stand up<//>${ready}</div>`;
}

function Guest() {
  const { view, config } = useTable();
  if (view.you.name === null) return html`<p>You are watching as a guest. <a href=${config.login_url}>Log in</a> to take a seat.</p>`;
  return html`<p>All seats are taken. Stay and watch; one may become free.</p>`;
}

function heading(view, left) {
  if (left !== null) return "Here we go…";
  if (view.you.seat !== null) return "Before the game";
  return view.you.may.includes("sit") ? "Take a seat" : "Waiting for players";
}

export function Before() {
  const { view } = useTable();
  const left = useLeft(view.start_at);
  const maySit = view.you.may.includes("sit") && view.you.name !== null;
  const part = view.you.seat !== null ? html`<${Seated} />` : maySit ? html`<${Newcomer} />` : html`<${Guest} />`;
  return html`<section class="panel dock" aria-label="Before the game">
    <header class="dock-head"><h2 tabindex="-1">${heading(view, left)}</h2></header>
    ${part}
    <${Opponents} />
    <${Options} />
  </section>`;
}
