// Before a game: a seat, a purse, ready.
import { html } from "preact";
import { Icon } from "rr/icon";
import { BotOnItsWay, Opponents, SeatClock } from "rr/board/opponents";
import { ActButton, useLeft, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { Slider } from "rr/board/slider";
import { GuestSeat } from "rr/board/way-in";
import { missingFor, purseLimits, shownPurse } from "rr/showdown/betting";
import { Options } from "rr/showdown/options";

function Missing() {
  const { view } = useTable();
  const missing = missingFor(view);
  return html`<p class="notice notice-error">The ante is ${view.match.options.ante} and you have ${view.you.balance ?? 0}: ${missing} ${missing === 1 ? "point is" : "points are"} missing.</p>`;
}

/** The rest of the points beside a purse. */
function Rest({ purse }) {
  const { view } = useTable();
  return html`<p class="small muted">You can lose no more than your purse in this game. You have <b class="num">${view.you.balance}</b>; <b class="num">${view.you.balance - purse}</b> stay in your wallet. Unbet points are returned.</p>`;
}

/** The purse that is shown is the one that the button under it takes. */
function PurseBox({ value }) {
  const { view, controls } = useTable();
  const { least, most } = purseLimits(view);
  return html`<${Slider} name="purse" word="Purse" least=${least} most=${most} value=${value} choose=${(wish) => controls.setUi({ purse: wish })} /><${Rest} purse=${value} />`;
}

function Newcomer() {
  const { view, ui, controls } = useTable();
  if (missingFor(view)) return html`<${Missing} />`;
  const free = view.seats.some((seat) => !seat.player);
  const purse = shownPurse(view, ui.purse);
  return html`<${PurseBox} value=${purse} />
    ${free && html`<div class="actions"><${ActButton} kind="sit" class="btn btn-brass" onPress=${() => controls.act("sit", { purse })}>Sit down with <b class="num">${purse}</b><//></div>`}`;
}

/** The purse of a seated player: it can be changed until one is ready. */
function OwnPurse({ own, purse }) {
  const { view } = useTable();
  if (missingFor(view)) return html`<${Missing} />`;
  return html`${view.you.purse_cut > 0 && html`<p class="notice" role="status">Your purse was ${own.purse + view.you.purse_cut} in the last game. It is <b class="num">${own.purse}</b> now: that is all ${view.you.balance > own.purse ? "you may bring among bots today" : "you have"}.</p>`}
    ${own.ready ? html`<${Rest} purse=${purse} />` : html`<${PurseBox} value=${purse} />`}`;
}

/** Point out a player who has just sat down. */
function NewFace() {
  const { view } = useTable();
  if (view.newcomer === null || view.newcomer === view.you.seat) return null;
  return html`<p class="small"><${Icon} name="user" /> <b>${nameOf(view, view.newcomer)}</b> has just sat down with a purse of <b class="num">${view.seats[view.newcomer].purse}</b>.</p>`;
}

function Seated() {
  const { view, ui, controls } = useTable();
  const own = view.seats.find((seat) => seat.no === view.you.seat);
  const isShort = missingFor(view) > 0;
  const purse = shownPurse(view, ui.purse);
  const ready = own.ready
    ? html`<${ActButton} kind="unready" class="btn" onPress=${() => controls.act("unready")}>Cancel ready<//>`
    : html`<${ActButton} kind="ready" class="btn btn-brass" disabled=${isShort || !view.you.may.includes("ready")} onPress=${() => controls.ready()}><${Icon} name="check" /><span>Ready with <b class="num">${purse}</b></span><//>`;
  return html`<p>${own.ready ? html`You are ready with <b class="num">${purse}</b>. The game starts when everyone is.` : "Choose your purse. It leaves your wallet when the game starts."}</p>
    <${BotOnItsWay} /><${NewFace} /><${OwnPurse} own=${own} purse=${purse} /><${SeatClock} />
    <div class="actions"><${ActButton} kind="stand" class="btn" onPress=${() => controls.act("stand")}>Stand up<//>${ready}</div>`;
}

function Guest() {
  const { view } = useTable();
  if (view.you.name === null) return html`<${GuestSeat} />`;
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
