// Before a game: a seat, a purse, ready.
import { html } from "preact";
import { Icon } from "rr/icon";
import { CopyLink } from "rr/board/frame";
import { ActButton, useLeft, useTable } from "rr/board/parts";
import { clamp } from "rr/showdown/betting";
import { Options } from "rr/showdown/options";

/** Largest purse possible here: the table's, or what one has. */
function mostPurse(view) {
  return Math.min(view.you.balance ?? 0, view.match.options.largest_purse);
}

function PurseBox() {
  const { view, controls } = useTable();
  const [least, most] = [view.match.options.ante, mostPurse(view)];
  const purse = clamp(controls.ui.purse ?? view.you.default_purse ?? most, least, most);
  const choose = (value) => controls.setUi({ purse: clamp(value, least, most) });
  const free = view.seats.find((seat) => !seat.player);
  if (most < least) return html`<p class="notice notice-error">The ante is ${least}; you are missing ${least - (view.you.balance ?? 0)} points.</p>`;
  return html`<div class="raise-box">
    <label class="raise-label" for="purse-range">Purse</label>
    <input id="purse-range" type="range" min=${least} max=${most} value=${purse} onInput=${(event) => choose(event.target.value)} />
    <input class="num raise-number" type="number" inputmode="numeric" aria-label="Purse, in points" min=${least} max=${most} value=${purse} onChange=${(event) => choose(event.target.value)} />
  </div>
  <p class="small muted">No more than your purse can be lost in this game. You have <b class="num">${view.you.balance}</b>, <b class="num">${view.you.balance - purse}</b> stay in your wallet. What you do not bet comes back.</p>
  ${free && html`<div class="actions"><${ActButton} kind="sit" class="btn btn-brass" onPress=${() => controls.act("sit", { seat: free.no, purse })}>Sit down with <b class="num">${purse}</b><//></div>`}`;
}

function Seated() {
  const { view, controls } = useTable();
  const own = view.seats.find((seat) => seat.no === view.you.seat);
  const ready = own.ready
    ? html`<${ActButton} kind="unready" class="btn" onPress=${() => controls.act("unready")}>Not ready after all<//>`
    : html`<${ActButton} kind="ready" class="btn btn-brass" disabled=${!view.you.may.includes("ready")} onPress=${() => controls.act("ready", { configuration: view.match.options_revision })}><${Icon} name="check" />Ready<//>`;
  return html`<p>${own.ready ? "You are ready. The game starts when everyone is." : html`Your purse for this game is <b class="num">${own.purse}</b>. It is taken when the game starts.`}</p>
    <div class="actions"><${ActButton} kind="stand" class="btn" onPress=${() => controls.act("stand")}>Stand up<//>${ready}</div>`;
}

function Guest() {
  const { view, config } = useTable();
  if (view.you.name === null) return html`<p>You are watching as a guest. <a href=${config.login_url}>Log in</a> to take a seat.</p>`;
  return html`<p>All seats are taken. Stay and watch; one may become free.</p>`;
}

function Company() {
  const { view, controls } = useTable();
  const { may } = view.you;
  const bots = view.seats.filter((seat) => seat.player?.bot);
  return html`<div class="cluster company">
    ${may.includes("add_bot") && html`<${ActButton} kind="add_bot" onPress=${() => controls.act("add_bot")}><${Icon} name="robot" />Add a bot<//>`}
    ${may.includes("remove_bot") && bots.map((seat) => html`<${ActButton} key=${seat.no} kind="remove_bot" onPress=${() => controls.act("remove_bot", { seat: seat.no })}><${Icon} name="x" />Send ${seat.player.name} away<//>`)}
    <${CopyLink} />
  </div>`;
}

function heading(view, left) {
  if (left !== null) return "Here we go…";
  if (view.you.seat !== null) return "Before the game";
  return view.you.may.includes("sit") ? "Take a seat" : "Waiting for players";
}

export function Before() {
  const { view } = useTable();
  const left = useLeft(view.start_at);
  const part = view.you.seat !== null ? html`<${Seated} />` : view.you.may.includes("sit") ? html`<${PurseBox} />` : html`<${Guest} />`;
  return html`<section class="panel dock" aria-label="Before the game">
    <header class="dock-head"><h2>${heading(view, left)}</h2></header>
    ${part}
    <${Company} />
    <${Options} />
  </section>`;
}
