// The actions that are possible now, under the felt.
import { html, useEffect, useRef } from "preact";
import { Icon } from "rr/icon";
import { goTo } from "rr/board/focus";
import { ActButton, Countdown, Question, letGo, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { Slider } from "rr/board/slider";
import { Before } from "rr/showdown/before";
import { FIRST_BET, TIME_OUT, betWords, plansAt, presets, priceAhead, purseAfter } from "rr/showdown/betting";
import { Again, Ending } from "rr/showdown/ending";
import { statusWord } from "rr/showdown/lore";
import { RoundResult, isScored } from "rr/showdown/reveal";
import { Tray } from "rr/showdown/tray";
import { outWord } from "rr/showdown/wording";

const KNOWS_BETTING = "rr.knows-betting";

/** Whether this browser has bet before; the first time it is explained. */
function knowsBetting() {
  try {
    return localStorage.getItem(KNOWS_BETTING) === "yes";
  } catch {
    return true;
  }
}

function noteBet() {
  try {
    localStorage.setItem(KNOWS_BETTING, "yes");
  } catch {
    // Without storage it is explained again.
  }
}

function RaiseBox({ mine, pot }) {
  const { controls } = useTable();
  const { raise_min: least, raise_max: most, call_amount: call } = mine;
  const amount = controls.raiseAmount();
  const choose = (raise) => controls.setUi({ raise });
  const choices = presets({ pot, call, least, most });
  return html`<${Slider} name="raise" word="Raise by" least=${least} most=${most} value=${amount} choose=${choose}>
    <div class="cluster raise-presets">${choices.map(({ label, amount: preset, shown }) => html`<button type="button" class="chip" key=${label} aria-pressed=${preset === amount} onClick=${() => choose(preset)}>${label} <b class="num">${shown}</b></button>`)}</div>
  <//>`;
}

function Money({ mine, purse }) {
  const { controls } = useTable();
  const mayRaise = mine.may.includes("raise_by");
  const after = purseAfter(purse, mine.call_amount ?? 0, mayRaise ? controls.raiseAmount() : 0);
  return html`<p class="muted small">You have <b class="num">${purse}</b>${mayRaise && html` · after this raise <b class="num">${after}</b>`}</p>`;
}

/** The buttons name what goes into the pot; brass is the one that costs least. */
function BetButtons({ mine, purse }) {
  const { controls } = useTable();
  const mayRaise = mine.may.includes("raise_by");
  const call = mine.call_amount ?? 0;
  const raise = mayRaise ? controls.raiseAmount() : 0;
  const word = mayRaise && raise >= mine.raise_max ? html`${statusWord("all_in")} <b class="num">${call + raise}</b>` : html`Raise <b class="num">${raise}</b>`;
  return html`<div class="actions">
    <${ActButton} kind="fold" class="btn btn-danger" disabled=${!mine.may.includes("fold")} onPress=${() => controls.fold()}>Fold <kbd>F</kbd><//>
    <${ActButton} kind="call" class="bet-call btn btn-brass" disabled=${!mine.may.includes("call")} onPress=${() => controls.act("call")}>${call ? html`<span>Call <b class="num">${call}</b>${call >= purse && `, ${statusWord("all_in").toLowerCase()}`}</span>` : "Check"} <kbd>C</kbd><//>
    ${mayRaise && html`<${ActButton} kind="raise_by" onPress=${() => controls.raise()}><span>${word}</span> <kbd>R</kbd><//>`}
  </div>`;
}

function AllInQuestion() {
  const { controls } = useTable();
  return html`<${Question} title=${`${statusWord("all_in")}?`} no="Not yet" yes=${statusWord("all_in")} onYes=${() => controls.raise()}>Your whole purse goes into the pot. You stay in and bet no more.<//>`;
}

/** A call that was wished in advance and takes the whole purse. */
function CallQuestion({ amount }) {
  const { controls } = useTable();
  const yes = () => {
    controls.setUi({ ask: null });
    controls.act("call");
  };
  return html`<${Question} title=${`Call ${amount}?`} no="Not yet" yes=${`Call ${amount}`} onYes=${yes}>Your whole purse goes into the pot. You stay in and bet no more.<//>`;
}

function FoldQuestion() {
  const { controls } = useTable();
  return html`<${Question} title="Fold for nothing?" no="Stay in" yes="Fold" isBad onYes=${() => controls.fold()}>Checking is free. If you fold, you lose your ante.<//>`;
}

function BetDock() {
  const { view, ui, controls } = useTable();
  const { game } = view;
  const mine = game.you;
  const purse = game.seats.find((seat) => seat.no === mine.seat).purse;
  const isFirst = useRef(!knowsBetting());
  useEffect(noteBet, []);
  return html`<section class="panel dock" aria-label="Your bet">
    <header class="dock-head"><h2 tabindex="-1">Your turn: ${betWords(game)}</h2><${Countdown} dueAt=${game.due_at} short=${10_000} note=${TIME_OUT} /></header>
    ${isFirst.current && !controls.lesson && html`<p class="notice">${FIRST_BET}</p>`}
    ${mine.may.includes("raise_by") ? html`<${RaiseBox} mine=${mine} pot=${game.pot} />` : html`<p class="muted">No raise is possible now: ${mine.call_amount >= purse ? "calling takes all you have" : "call or fold"}.</p>`}
    <${Money} mine=${mine} purse=${purse} />
    <${BetButtons} mine=${mine} purse=${purse} />
    ${ui.ask === "all-in" && html`<${AllInQuestion} />`}
    ${ui.ask === "call-all" && html`<${CallQuestion} amount=${mine.call_amount} />`}
    ${ui.ask === "fold" && !mine.call_amount && html`<${FoldQuestion} />`}
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

/** Wishes for the own next turn, done as soon as it comes. */
function Plans() {
  const { view, ui, controls, config } = useTable();
  const own = view.game.seats.find((seat) => seat.no === view.you.seat);
  if (own.status !== "in" || controls.lesson || config.replay) return null;
  return html`<div class="plans" role="group" aria-label="At your next turn"><span class="muted small" aria-hidden="true">Next turn</span>${plansAt(priceAhead(view.game, own), own.purse).map(([plan, words, amount]) => html`<button type="button" class="chip" key=${plan} aria-pressed=${ui.plan === plan} onClick=${(event) => {
    letGo(event);
    controls.togglePlan(plan);
  }}><span><span class="sr">Next turn: </span>${words}${amount !== null && html` <b class="num">${amount}</b>`}</span></button>`)}</div>`;
}

function isOut(view) {
  const own = view.game.seats.find((seat) => seat.no === view.you.seat);
  return own && ["folded", "gave_up"].includes(own.status);
}

function outWords(view) {
  return outWord(view.game.seats.find((seat) => seat.no === view.you.seat).status);
}

function isLeaving(view) {
  return Boolean(view.game.seats.find((seat) => seat.no === view.you.seat)?.leaving);
}

/** The last round for those who have no tray under which it could stand. */
function Story() {
  const { view } = useTable();
  return view.game.last_round ? html`<section class="panel pad"><${RoundResult} /></section>` : null;
}

function Running() {
  const { view } = useTable();
  const { game } = view;
  const mine = game.you;
  if (!mine) return html`<${Story} /><${Note} icon="eye">You are watching. ${game.stage === "betting" ? bettingNote(view) : "Choices are secret until the round is over."}<//>`;
  if (isOut(view)) return html`<${Story} /><${Note} icon="ban">${outWords(view)} You keep your seat for the next game.<//>`;
  if (isLeaving(view)) return html`<${Note} icon="ban">${outWord("gave_up")} Watching until the round ends.<//>`;
  if (game.stage === "round") return html`<${Tray} />`;
  if (mine.may.includes("call") || mine.may.includes("fold")) return html`<${BetDock} />`;
  return html`<section class="panel dock waiting-dock"><p><${Icon} name="cards" /> <span>${bettingNote(view)}</span></p><${Plans} /></section>`;
}

/** The reason why there is no game here any more. */
function goneWords({ status, void_reason: reason }) {
  const because = reason ? `: ${reason.replace(/[.\s]+$/, "")}.` : ".";
  if (status === "void") return ["This game was called off", `${because} Every point and every weapon went back to its owner.`];
  return ["This table has closed", reason ? because : ": nobody sat down or pressed Ready for a while. No points were at stake."];
}

/** The viewer's refund from a game that was called off. */
function refundWords(view) {
  const money = view.match.status === "void" ? view.game?.result?.seats[view.you.seat] : null;
  if (!money) return "";
  return html` Your purse of <b class="num">${money.paid_out}</b> is back in your wallet.`;
}

function Gone() {
  const { view } = useTable();
  const [bold, rest] = goneWords(view.match);
  return html`<section class="panel dock gone" aria-label="This table is over">
    <div class="note"><${Icon} name="stapler" /><p role="status"><b>${bold}</b>${rest}${refundWords(view)}</p></div>
    <${Again} />
  </section>`;
}

function Stalled() {
  return html`<p class="notice" role="status">The clock waits for the players to come back. Nobody loses time or points meanwhile; after three minutes without anybody the game is called off.</p>`;
}

/** Give a seated viewer the focus in a new dock, unless it is on something to press. */
function useFocus(kind, isSeated) {
  useEffect(() => {
    const heading = document.querySelector(".dock h2[tabindex]");
    if (isSeated && heading) goTo(heading);
  }, [kind]);
}

export function Dock() {
  const { state, view } = useTable();
  const stage = view.game?.stage ?? view.match.status;
  useFocus(`${state.link === "open"} ${stage} ${stage === "betting" && view.game.turn === view.you.seat}`, view.you.seat !== null);
  return html`<${DockOf} />`;
}

function DockOf() {
  const { state, view } = useTable();
  const { match, game } = view;
  if (match.status === "void" || match.status === "closed") return html`<${Gone} />`;
  if (game?.result && !isScored(state.reveal)) return html`<${Note} icon="cards">The last round…<//>`;
  if (game?.result) return html`<${Ending} />`;
  if (game && game.stage !== "over") return html`${match.stalled && html`<${Stalled} />`}<${Running} />`;
  return html`<${Before} />`;
}
