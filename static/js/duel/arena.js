// The felt of a duel: two players, their wins, and the two hands between them.
import { html, useEffect, useRef } from "preact";
import { Icon } from "rr/icon";
import { Avatar, Ring, useLeft, useTable } from "rr/board/parts";
import { PersonName } from "rr/people/person";
import { seatLink } from "rr/board/way-in";
import { spanWords } from "rr/board/wording";
import { fly, seatDisc } from "rr/board/flights";
import { HandFace } from "rr/duel/face";
import { Dossier, opponentOf } from "rr/duel/dossier";
import { isTurning, latest, moneyOf, sidesOf } from "rr/duel/game";
import { battleLine, beforeLine, scoreOf, stageLine, statusOf, title, verdict } from "rr/duel/words";

const SHOWN_FOR = 2800;
const TURNS_FOR = 700;
const MOST_PIPS = 7; // more wins than that are a number
const HOUR = 3_600_000;

function Pips({ wins, needed }) {
  const word = html`<span class="sr">${wins} of ${needed} wins</span>`;
  if (needed > MOST_PIPS) return html`<span class="pips"><b class="num" aria-hidden="true">${wins} / ${needed}</b>${word}</span>`;
  const dots = Array.from({ length: needed }, (_, place) => html`<i class=${place < wins ? "pip pip-on" : "pip"} />`);
  return html`<span class="pips"><span class="pip-row" aria-hidden="true">${dots}</span>${word}</span>`;
}

function Disc({ chair }) {
  const isAway = !chair.present && !chair.player.bot && !useTable().view.game?.result;
  return html`<span class="disc"><${Avatar} player=${chair.player} />
    ${isAway && html`<span class="disc-away"><${Icon} name="wifi-off" /><span class="sr">not connected</span></span>`}</span>`;
}

function Rating({ chair }) {
  const { rating } = chair.player;
  if (rating === null || rating === undefined) return null;
  return html`<span class="duelist-rating num"><span class="sr">Rating </span>${rating}</span>`;
}

function FreeSeat({ no, side }) {
  const table = useTable();
  const { challenge } = table.view.match;
  const link = seatLink(table);
  return html`<li class=${`duelist duelist-${side} is-empty`}><span class="disc disc-empty"><${Icon} name="user" /></span><span class="name">${link ? html`<a ...${link}>Free seat</a>` : (challenge?.to ?? "Free seat")}</span><span class="duelist-rating" aria-hidden="true">–</span><span class="duelist-status">${challenge ? "Invited" : `Seat ${no + 1}`}</span></li>`;
}

function Duelist({ no, side }) {
  const { state, view, config } = useTable();
  const chair = view.seats[no];
  if (!chair?.player) return html`<${FreeSeat} no=${no} side=${side} />`;
  const seat = view.game?.seats[no];
  const isActing = view.game?.stage === "throwing" && !seat.hand_in;
  const isOpen = !isTurning(state.reveal);
  const marks = [isActing && "is-acting", view.you.seat === no && "is-you", isOpen && view.game?.result?.winners.includes(no) && "is-winner"];
  return html`<li data-seat=${no} class=${["duelist", `duelist-${side}`, ...marks].filter(Boolean).join(" ")}>
    <${Disc} chair=${chair} />
    ${view.you.seat === no ? html`<span class="name">You</span>` : html`<${PersonName} class="name" name=${chair.player.name} />`}
    <div class="duelist-facts"><${Rating} chair=${chair} />${view.you.seat !== no && opponentOf(view, config) && html`<${Dossier} key=${chair.player.name} name=${chair.player.name} />`}</div>
    ${seat && html`<${Pips} wins=${seat.wins} needed=${view.game.wins_needed} />`}
    <span class="duelist-status">${isOpen || !view.game?.result ? statusOf(view, no) : ""}</span>
  </li>`;
}

function shownHand(shown, no, isFresh) {
  const hand = shown.hands[no];
  const look = shown.winners.includes(no) ? "is-won" : shown.counted ? "is-lost" : "is-draw";
  return { hand, isDown: false, look: isFresh ? `${look} is-turning` : look, word: hand ? "" : "No hand" };
}

/** The hand that a side of the board shows: {hand, isDown, look, word}; a fresh one is turned over. */
function handOf(view, no, shown, isFresh) {
  if (shown) return shownHand(shown, no, isFresh);
  const isOwn = view.you.seat === no;
  const isIn = view.game?.seats[no].hand_in ?? false;
  if (!isIn) return { hand: null, isDown: false, look: "", word: view.game?.stage === "throwing" ? (isOwn ? "Your hand" : "Choosing…") : "" };
  return { hand: null, isDown: true, look: isOwn ? "is-own" : "", word: isOwn ? `${view.game.you.hand ? title(view.game.you.hand) : "Your hand"}, face down` : "Ready" };
}

function Hand({ side, hand, isDown, look, word }) {
  const isThere = isDown || hand;
  const face = hand ? html`<span class=${`hand-face card card-${hand}`}><${HandFace} hand=${hand} /></span>` : html`<span class="hand-face" />`;
  return html`<div class=${`throw-hand throw-${side} ${look}`}>
    ${isThere ? html`<div class=${isDown ? "hand-card is-down" : "hand-card"}><span class="hand-back"><${Icon} name="fist" /></span>${face}</div>` : html`<div class="hand-slot"><${Icon} name=${word === "No hand" ? "ban" : "fist"} /></div>`}
    <span class="hand-word">${word}</span>
  </div>`;
}

/** The clock between the hands: a ring for a throw, words for days. */
function Clock() {
  const { view } = useTable();
  const { game, match } = view;
  const left = useLeft(game.due_at);
  if (match.stalled) return html`<p class="centre-line">The clock is stopped</p>`;
  if (left === null) return null;
  if (left > HOUR) return html`<p class="long-clock" role="timer" aria-label="Time left"><b class="num">${spanWords(left)}</b><span>left</span></p>`;
  return html`<${Ring} dueAt=${game.due_at} limit=${game.clock_seconds * 1000} label="Time left for this throw" />`;
}

function Between() {
  const { view } = useTable();
  if (view.game?.result) return html`<div class="between"><b class="tally">${scoreOf(view)}</b></div>`;
  return html`<div class="between">${view.game ? html`<${Clock} />` : html`<b class="versus">vs</b>`}</div>`;
}

function StakeLine() {
  const { view } = useTable();
  const { stake, prize, tax } = moneyOf(view.match.options);
  if (!stake) return null;
  const isBack = view.match.status === "void" || view.game?.result?.winners.length === 0;
  if (isBack) return html`<p class="stake-line"><${Icon} name="coins" /><span><b class="num">${stake}</b> each, returned</span></p>`;
  return html`<p class="stake-line"><${Icon} name="coins" /><span><b class="num">${stake}</b> each · the winner gets <b class="num">${prize}</b>${tax ? html` (tax <span class="num">${tax}</span>)` : ""}</span></p>`;
}

function topLine(view, shown) {
  if (shown) return `Throw ${shown.throw}`;
  if (!view.game) return beforeLine(view);
  if (view.game.stage === "suspended") return "On a break";
  return stageLine(view);
}

/** The last throw in words; empty while nothing is shown. */
function Verdict({ shown }) {
  const { view } = useTable();
  const words = shown ? html`<b>${battleLine(shown)}</b><span>${verdict(view, shown)}</span>` : "";
  return html`<p class="verdict">${words}</p>`;
}

/** Slide the stakes in at the start, and the points to who gets them when the last cards lie open. */
function useChips() {
  const { state, view } = useTable();
  const { stake } = moneyOf(view.match.options);
  const stage = !view.game ? "before" : view.game.result && !isTurning(state.reveal) ? "over" : "on";
  const last = useRef({ stage, match: view.match.public_id });
  useEffect(() => {
    const { stage: before, match } = last.current;
    last.current = { stage, match: view.match.public_id };
    if (!stake || match !== view.match.public_id || before === stage) return;
    const money = document.querySelector(".stake-line");
    if (before === "before" && stage === "on") for (const no of sidesOf(view)) fly(seatDisc(no), money, String(stake));
    if (before === "on" && stage === "over") for (const [no, points] of Object.entries(view.game.result.awards ?? {})) if (points) fly(money, seatDisc(no), `+${points}`);
  }, [stage, view.match.public_id]);
}

/** The throw that lies open: for a while after it, and for good once the duel is over. */
function useShown() {
  const { state, view, controls } = useTable();
  const isOver = Boolean(view.game?.result);
  const number = state.reveal?.number ?? null;
  useEffect(() => {
    if (number === null) return undefined;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timers = [setTimeout(() => controls.turned(), isStill ? 0 : TURNS_FOR), setTimeout(() => controls.hideReveal(), SHOWN_FOR)];
    return () => timers.forEach(clearTimeout);
  }, [number]);
  return isOver ? latest(view.game) : state.reveal;
}

export function Arena() {
  const { state, view } = useTable();
  const shown = useShown();
  useChips();
  const [left, right] = sidesOf(view);
  // A new key for each throw that is turned over: both cards begin to turn at the same moment.
  const hand = (side, no) => html`<${Hand} key=${`${side}${shown?.throw ?? ""}`} side=${side} ...${handOf(view, no, shown, state.reveal !== null)} />`;
  return html`<section class="duel-box" aria-label="The duel"><div class=${view.game ? `duel is-${view.game.stage}` : "duel is-before"}>
    <ul class="duelists"><${Duelist} no=${left} side="left" /><${Duelist} no=${right} side="right" /></ul>
    <div class="duel-middle">
      <p class="centre-line">${topLine(view, shown)}</p>
      <div class="hands">${hand("left", left)}<${Between} />${hand("right", right)}</div>
      <${Verdict} shown=${shown} />
      <${StakeLine} />
    </div>
  </div></section>`;
}
