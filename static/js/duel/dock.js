// The actions that are possible now, under the felt of a duel.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, letGo, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { BeforeDuel } from "rr/duel/before";
import { Afterwards, DuelEnding, InTrain } from "rr/duel/ending";
import { HandFace } from "rr/duel/face";
import { askers, isRunning, isTurning, mayChooseAhead } from "rr/duel/game";
import { HANDS, note, title, waitingLine } from "rr/duel/words";

function HandButton({ hand }) {
  const { view, state, ui, controls } = useTable();
  const { you } = view.game;
  const isChosen = you.hand === hand;
  const isAhead = ui.ahead?.hand === hand;
  const mayThrow = (you.legal.includes("throw") && !state.pending.has("throw")) || mayChooseAhead(view);
  const press = (event) => {
    letGo(event);
    controls.throwHand(hand);
  };
  const words = [isChosen && "thrown", isAhead && "next throw"].filter(Boolean).join(", ") || note(hand);
  return html`<button type="button" class=${`card card-${hand} throw-card${isAhead ? " is-ahead" : ""}`} disabled=${!mayThrow} aria-pressed=${isChosen} onClick=${press}>
    <${HandFace} hand=${hand} note=${words} /><kbd class="card-key" aria-hidden="true">${hand[0].toUpperCase()}</kbd>
  </button>`;
}

/** The asking for a pause, from either side, and the agreement to it. */
function Suspension() {
  const { view, controls } = useTable();
  const { legal } = view.game.you;
  const asking = askers(view);
  const isMine = asking.includes(view.you.seat);
  if (isMine) {
    return html`<p class="notice" role="status"><span>You offered a break. The clock keeps running until your opponent agrees.</span>
      <${ActButton} kind="withdraw_suspend" disabled=${!legal.includes("withdraw_suspend")} onPress=${() => controls.act("withdraw_suspend")}>Take it back<//></p>`;
  }
  if (!asking.length) return null;
  return html`<p class="notice" role="status"><span><b>${nameOf(view, asking[0])}</b> offers a break. The clock keeps running.</span>
    <${ActButton} kind="suspend" disabled=${!legal.includes("suspend")} onPress=${() => controls.act("suspend")}>Take a break<//></p>`;
}

function Tools() {
  const { view, controls, config } = useTable();
  if (config.practice) return null; // a bot agrees to no pause, and there is nothing to give up
  const { legal } = view.game.you;
  const mayAsk = legal.includes("suspend") && !askers(view).length;
  return html`<div class="duel-tools">
    ${mayAsk && html`<${ActButton} kind="suspend" onPress=${() => controls.act("suspend")}><${Icon} name="moon" />Offer a break<//>`}
    ${legal.includes("resign") && html`<button type="button" class="btn btn-danger" onClick=${() => controls.setUi({ dialog: "resign" })}><${Icon} name="log-out" />Resign</button>`}
  </div>`;
}

function ThrowDock() {
  const { view, ui } = useTable();
  const { game } = view;
  const mine = game.you;
  const heading = mine.hand ? `${title(mine.hand)} it is` : `Throw ${game.throw}: choose your hand`;
  const next = mayChooseAhead(view) ? (ui.ahead ? " Press the next one again to drop it." : " Choose the next throw if you like.") : "";
  const line = mine.hand ? `Your hand is in and final. ${waitingLine(view)}…${next}` : "Hidden until both are in.";
  return html`<section class=${`panel dock throw-dock${mine.hand ? " is-locked" : ""}`} aria-label="Your hand">
    <header class="dock-head"><h2>${heading}</h2><p class="small muted">${line}</p></header>
    <${Suspension} />
    <div class="throw-cards">${HANDS.map((hand) => html`<${HandButton} key=${hand} hand=${hand} />`)}</div>
    <${Tools} />
  </section>`;
}

function SuspendedDock() {
  const { view, controls } = useTable();
  const { game } = view;
  const mine = game.you;
  const isBack = mine && game.seats[view.you.seat].is_back;
  const back = mine && (isBack
    ? html`<${ActButton} kind="withdraw_resume" disabled=${!mine.legal.includes("withdraw_resume")} onPress=${() => controls.act("withdraw_resume")}>Cancel ready<//>`
    : html`<${ActButton} kind="resume" class="btn btn-brass" disabled=${!mine.legal.includes("resume")} onPress=${() => controls.act("resume")}><${Icon} name="play" />I am ready<//>`);
  return html`<section class="panel dock suspended" aria-label="On a break">
    <header class="dock-head"><h2>On a break</h2></header>
    <p role="status">${isBack ? "You are ready. Waiting for your opponent." : "Score and hands are kept. It continues with a full clock when both are ready."}</p>
    <p class="small muted">When time runs out, the player who is ready wins. If neither is, stakes are returned.</p>
    ${mine && html`<div class="actions">${mine.legal.includes("resign") && html`<button type="button" class="btn btn-danger" onClick=${() => controls.setUi({ dialog: "resign" })}>Resign</button>`}${back}</div>`}
  </section>`;
}

function Watching() {
  const { view } = useTable();
  return html`<section class="panel dock note"><${Icon} name="eye" /><p>You are watching. ${waitingLine(view) || "Both hands are in"}. Hands are secret until both are in.</p></section>`;
}

function goneWords({ status, void_reason: reason }, isOfEvent) {
  if (reason === "declined") return ["The challenge was declined", ". Nothing was at stake yet."];
  const because = reason ? `: ${reason.replace(/[.\s]+$/, "")}.` : ".";
  if (status === "void") return ["This duel was called off", isOfEvent ? because : `${because} Every point went back to its owner.`];
  return ["This duel has closed", reason ? because : ": nobody sat down or pressed Ready for a while. No points were at stake."];
}

function Gone() {
  const { view, config } = useTable();
  const [bold, rest] = goneWords(view.match, Boolean(config.home));
  return html`<section class="panel dock gone" aria-label="This duel is over">
    <div class="note"><${Icon} name="stapler" /><p role="status"><b>${bold}</b>${rest}</p></div>
    <${InTrain} />
    <${Afterwards} />
  </section>`;
}

function Stalled() {
  return html`<p class="notice" role="status">The clock waits for the players to come back. Nobody loses time or points meanwhile; after three minutes without anybody the duel is called off.</p>`;
}

function Over() {
  const { state } = useTable();
  return isTurning(state.reveal) ? html`<section class="panel dock note"><${Icon} name="fist" /><p>The last hands…</p></section>` : html`<${DuelEnding} />`;
}

export function DuelDock() {
  const { view } = useTable();
  const { match, game } = view;
  if (match.status === "void" || match.status === "closed") return html`<${Gone} />`;
  if (game?.result) return html`<${Over} key=${match.public_id} />`;
  if (!isRunning(view)) return html`<${BeforeDuel} key=${match.public_id} />`;
  if (game.stage === "suspended") return html`<${SuspendedDock} />`;
  return html`${match.stalled && html`<${Stalled} />`}${game.you ? html`<${ThrowDock} />` : html`<${Watching} />`}`;
}
