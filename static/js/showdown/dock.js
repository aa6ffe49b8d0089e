// What one can do now, under the felt.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, Countdown, Dialog, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { Before } from "rr/showdown/before";
import { pageStep, presets, purseAfter } from "rr/showdown/betting";
import { Again, Ending } from "rr/showdown/ending";
import { Tray } from "rr/showdown/tray";

function RaiseBox({ mine, pot }) {
  const { controls } = useTable();
  const { raise_min: least, raise_max: most, call_amount: call } = mine;
  const amount = controls.raiseAmount();
  const choose = (raise) => controls.setUi({ raise });
  const page = (event) => {
    const step = { PageUp: 1, PageDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(amount + step * pageStep(least, most));
  };
  return html`<div class="raise-box">
    <label class="raise-label" for="raise-range">Raise by</label>
    <input id="raise-range" type="range" min=${least} max=${most} step="1" value=${amount} onInput=${(event) => choose(event.target.value)} onKeyDown=${page} />
    <input class="num raise-number" type="number" inputmode="numeric" aria-label="Raise by, in points" min=${least} max=${most} value=${amount} onChange=${(event) => choose(event.target.value)} />
    <div class="cluster raise-presets">${presets({ pot, call, least, most }).map(({ label, amount: preset }) => html`<button type="button" class="chip" aria-pressed=${preset === amount} onClick=${() => choose(preset)}>${label} <b class="num">${preset}</b></button>`)}</div>
  </div>`;
}

function Money({ mine, purse }) {
  const { controls } = useTable();
  const mayRaise = mine.may.includes("raise_by");
  const after = purseAfter(purse, mine.call_amount ?? 0, mayRaise ? controls.raiseAmount() : 0);
  return html`<p class="muted small">You have <b class="num">${purse}</b>${mayRaise && html` · after this raise <b class="num">${after}</b>`}</p>`;
}

function BetButtons({ mine }) {
  const { controls } = useTable();
  const mayRaise = mine.may.includes("raise_by");
  return html`<div class="actions">
    <${ActButton} kind="fold" class="btn btn-danger" disabled=${!mine.may.includes("fold")} onPress=${() => controls.act("fold")}>Fold <kbd>F</kbd><//>
    <${ActButton} kind="call" class=${mayRaise ? "btn" : "btn btn-brass"} disabled=${!mine.may.includes("call")} onPress=${() => controls.act("call")}>${mine.call_amount ? html`Call <b class="num">${mine.call_amount}</b>` : "Check"} <kbd>C</kbd><//>
    ${mayRaise && html`<${ActButton} kind="raise_by" class="btn btn-brass" onPress=${() => controls.raise()}>Raise <b class="num">${controls.raiseAmount()}</b> <kbd>R</kbd><//>`}
  </div>`;
}

function AllInQuestion() {
  const { controls } = useTable();
  const close = () => controls.setUi({ dialog: null });
  return html`<${Dialog} title="All in?" onClose=${close}>
    <p>Everything in your purse goes into the pot. You stay in the game and have no more turns in the betting.</p>
    <div class="form-end"><button type="button" class="btn" onClick=${close}>Not yet</button><button type="button" class="btn btn-brass" onClick=${() => controls.raise()}>All in</button></div>
  <//>`;
}

function BetDock() {
  const { view, ui } = useTable();
  const { game } = view;
  const mine = game.you;
  const purse = game.seats.find((seat) => seat.no === mine.seat).purse;
  const toMatch = mine.call_amount ? `${mine.call_amount} to call` : "Nothing to match";
  return html`<section class="panel dock" aria-label="Your bet">
    <header class="dock-head"><h2>Your turn: ${toMatch.toLowerCase()}</h2><${Countdown} dueAt=${game.due_at} /></header>
    ${mine.may.includes("raise_by") ? html`<${RaiseBox} mine=${mine} pot=${game.pot} />` : html`<p class="muted">No raise is possible now: ${mine.call_amount >= purse ? "calling takes all you have" : "call or fold"}.</p>`}
    <${Money} mine=${mine} purse=${purse} />
    <${BetButtons} mine=${mine} />
    ${ui.dialog === "all-in" && html`<${AllInQuestion} />`}
  </section>`;
}

function Note({ icon, children }) {
  return html`<section class="panel dock note"><${Icon} name=${icon} /><p>${children}</p></section>`;
}

function bettingNote(view) {
  const { game } = view;
  const own = game.seats.find((seat) => seat.no === view.you.seat);
  const name = nameOf(view, game.turn);
  if (own?.status === "all_in") return html`You are all in. <b>${name}</b> is to act.`;
  return html`<b>${name}</b> is to act.`;
}

function isOut(view) {
  const own = view.game.seats.find((seat) => seat.no === view.you.seat);
  return own && ["folded", "gave_up"].includes(own.status);
}

function Running() {
  const { view } = useTable();
  const { game } = view;
  const mine = game.you;
  if (!mine) return html`<${Note} icon="eye">You are watching. ${game.stage === "betting" ? bettingNote(view) : "Choices are secret until the round is over."}<//>`;
  if (isOut(view)) return html`<${Note} icon="ban">You are out of this game. Stay and watch, or chat; the next one starts from the same chairs.<//>`;
  if (game.stage === "round") return html`<${Tray} />`;
  if (mine.may.includes("call") || mine.may.includes("fold")) return html`<${BetDock} />`;
  return html`<${Note} icon="cards">${bettingNote(view)}<//>`;
}

/** Why there is no game here any more. */
function goneWords({ status, void_reason: reason }) {
  const because = reason ? `: ${reason.replace(/[.\s]+$/, "")}.` : ".";
  if (status === "void") return ["This game was called off", `${because} Every point and every weapon went back to its owner.`];
  return ["This table has closed", reason ? because : ": nobody sat down or pressed Ready for a while. No points were at stake."];
}

function Gone() {
  const { view } = useTable();
  const [bold, rest] = goneWords(view.match);
  return html`<section class="panel dock gone" aria-label="What became of this table">
    <div class="note"><${Icon} name="stapler" /><p role="status"><b>${bold}</b>${rest}</p></div>
    <${Again} />
  </section>`;
}

function Stalled() {
  return html`<p class="notice" role="status">The clock waits for the players to come back. Nobody loses time or points meanwhile; after three minutes without anybody the game is called off.</p>`;
}

export function Dock() {
  const { view } = useTable();
  const { match, game } = view;
  if (match.status === "void" || match.status === "closed") return html`<${Gone} />`;
  if (game?.result) return html`<${Ending} />`;
  if (game && game.stage !== "over") return html`${match.stalled && html`<${Stalled} />`}<${Running} />`;
  return html`<${Before} />`;
}
