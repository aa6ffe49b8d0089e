// The whole board: heading, felt, dock, side; what floats over it.
import { html, useState } from "preact";
import { Icon } from "rr/icon";
import { Dock } from "rr/table/dock";
import { Felt } from "rr/table/felt";
import { Dialogs } from "rr/table/help";
import { Announcer, Table, useTable } from "rr/table/parts";
import { LastRound } from "rr/table/reveal";
import { isMyMove } from "rr/table/seats";
import { Side } from "rr/table/side";
import * as sound from "rr/table/sound";

const LINKS = {
  open: ["live", "live"],
  connecting: ["lost", "connecting…"],
  lost: ["lost", "reconnecting…"],
  ended: ["lost", "disconnected"],
};

function LinkBadge() {
  const { state } = useTable();
  const [look, word] = LINKS[state.link];
  return html`<span class=${`link-badge is-${look}`} role="status">${look === "live" ? html`<i class="live-dot" />` : html`<${Icon} name="wifi-off" />`}${word}</span>`;
}

function SoundButton() {
  const [isOn, set] = useState(sound.isOn());
  return html`<button type="button" class="btn btn-icon" aria-pressed=${isOn} aria-label=${isOn ? "Sound is on" : "Sound is off"} onClick=${() => set(sound.toggle())}><${Icon} name=${isOn ? "volume-2" : "volume-x"} /></button>`;
}

function Heading() {
  const { view, controls } = useTable();
  const { match } = view;
  return html`<header class="table-head">
    <h1>${match.title}</h1>
    <div class="cluster">
      <${LinkBadge} />
      <span class="pill"><${Icon} name="eye" /><b class="num">${match.watching}</b><span class="pill-word"> watching</span></span>
      ${controls.may("leave") && html`<button type="button" class="btn" onClick=${() => controls.setUi({ dialog: "leave" })}><${Icon} name="log-out" />Give up</button>`}
      <button type="button" class="btn btn-icon only-wide" aria-label="Keys" onClick=${() => controls.setUi({ dialog: "help" })}><${Icon} name="circle-help" /></button>
      <${SoundButton} />
    </div>
  </header>`;
}

function LinkNotice() {
  const { state, config } = useTable();
  if (state.link === "open" || !state.linkText) return null;
  return html`<div class="notice notice-error link-notice" role="alert"><${Icon} name="wifi-off" /><span>${state.linkText}</span>
    ${state.link === "ended" && html`<a class="btn" href=${config.login_url}>Log in</a>`}</div>`;
}

function Warning() {
  const { view } = useTable();
  const own = view.game?.seats.find((seat) => seat.no === view.you.seat);
  if (!own?.warned || view.game.stage !== "round") return null;
  return html`<p class="notice notice-error" role="alert">You missed a round. One more without any choice counts as giving up.</p>`;
}

function Toasts() {
  const { state, controls } = useTable();
  return html`<div class="toasts" role="alert">${state.toasts.map((toast) => html`<div key=${toast.key} class=${`toast toast-${toast.tone}`}><${Icon} name="triangle-alert" /><span>${toast.text}</span><button type="button" class="btn btn-icon" aria-label="Close" onClick=${() => controls.dropToast(toast.key)}><${Icon} name="x" /></button></div>`)}</div>`;
}

function Board() {
  const { state, view } = useTable();
  const isInert = state.link !== "open";
  return html`<div class="board-main">
      <${Heading} />
      <${LinkNotice} />
      <${Warning} />
      <div class=${isInert ? "play is-inert" : "play"} inert=${isInert}><${Felt} /><${Dock} /></div>
      <${LastRound} />
    </div>
    <${Side} />
    <${Announcer} dueAt=${view.game?.due_at ?? null} isMine=${isMyMove(view)} />
    <${Toasts} />
    <${Dialogs} />`;
}

export function App({ table }) {
  return html`<${Table.Provider} value=${table}><${Board} /><//>`;
}
