// The result of a round: battles one at a time beside the pot (a phone: over the dock), then who scored.
import { html, useEffect, useRef } from "preact";
import { Icon } from "rr/icon";
import { Countdown, letGo, useTable } from "rr/board/parts";
import { callName, nameOf } from "rr/board/seats";
import { heldBefore } from "rr/board/store";
import { SmallCard } from "rr/showdown/cards";
import { fly, flyCard, seatDisc } from "rr/board/flights";
import { KnownBoard } from "rr/showdown/known";
import { title, why } from "rr/showdown/lore";
import { battleLine, battleLook, headline, ownFirst, scoreLine } from "rr/showdown/wording";

const BATTLE_FOR = 900;
const SCORE_FOR = 4000;

/** The round that was over last, with its number and what is shown of it; null before there is one. */
export function latest(game) {
  const round = game?.last_round;
  return round ? { ...round, number: round.round, step: 0 } : null;
}

/** The battles that are worth a look: somebody threw something. */
export function shown(round) {
  return round.battles.filter((battle) => battle.a_weapon || battle.b_weapon);
}

/** Whether a round's battles have all been seen, or none are on show. */
export function isScored(reveal) {
  return !reveal || reveal.step >= shown(reveal).length;
}

/** The lines of the log that may be shown: those of a round come after its cards. Pure. */
export function toldBy({ feed, reveal }) {
  return isScored(reveal) ? feed : heldBefore(feed, "round_resolved");
}

function verdict(view, battle) {
  if (battle.winner === null) return "Draw";
  const name = callName(view, battle.winner);
  return name === "You" ? "You win" : `${name} wins`;
}

function look(battle, no) {
  if (battle.winner === null) return "is-draw";
  return battle.winner === no ? "is-won" : "is-lost";
}

/** The viewer's own side stands on the left. */
function turned(battle, own) {
  if (battle.b !== own) return battle;
  return { ...battle, a: battle.b, b: battle.a, a_weapon: battle.b_weapon, b_weapon: battle.a_weapon };
}

function Side({ no, weapon, battle }) {
  const { view } = useTable();
  const isTaken = battle.taken !== null && battle.winner !== no;
  return html`<span class="battle-side"><span class="battle-name" title=${nameOf(view, no)}>${callName(view, no)}</span>
    <span class=${isTaken ? "turn is-taken" : "turn"} data-thrown=${no}><${SmallCard} weapon=${weapon} look=${look(battle, no)} /></span></span>`;
}

/** The place to which a taken weapon goes: the taker's hand. */
function handOf(view, no, weapon) {
  return (no === view.you.seat && document.querySelector(`.tray [data-weapon="${weapon}"]`)) || seatDisc(no);
}

function Battle({ battle, isAgain }) {
  const { view } = useTable();
  const { a, b, a_weapon: left, b_weapon: right, taken, taken_by: taker } = turned(battle, view.you.seat);
  const table = useRef(null);
  useEffect(() => {
    if (isAgain || !taken) return undefined;
    // As soon as the cards have been turned over.
    const timer = setTimeout(() => flyCard(table.current?.querySelector(".is-taken .mini"), handOf(view, taker, taken)), 350);
    return () => clearTimeout(timer);
  }, []);
  return html`<div class="battle" ref=${table}>
    <${Side} no=${a} weapon=${left} battle=${battle} />
    <p class="battle-mid"><b>${verdict(view, battle)}</b><span>${why(battle)}</span>${taken && html`<span class="battle-taken">${callName(view, taker)} +1 ${title(taken)}</span>`}</p>
    <${Side} no=${b} weapon=${right} battle=${battle} />
  </div>`;
}

/** When all battles are over: the points fly to the seats, and who scored and why stands below. */
function Score({ round }) {
  const { view } = useTable();
  useEffect(() => {
    if (round.isAgain) return;
    const pot = document.querySelector(".centre");
    for (const [no, points] of Object.entries(round.points)) if (points) fly(pot, seatDisc(no), `+${points}`);
  }, []);
  return html`<div class="reveal-score"><p class="score-line">${round.mine && html`<${Icon} name="explosion" />`}<span>${scoreLine(view, round)}</span></p>
    <${Lines} round=${round} />
    <${KnownBoard} /></div>`;
}

function Lines({ round }) {
  const { view } = useTable();
  return html`<ul class="result-lines">${ownFirst(view, round.battles).map((battle) => html`<${ResultLine} key=${`${battle.a}-${battle.b}`} battle=${battle} />`)}</ul>`;
}

/** The battles one at a time, then the score, for a while or until the next key; the cards stay. */
export function Reveal() {
  const { state, view, controls } = useTable();
  const round = state.reveal;
  const battles = ownFirst(view, shown(round));
  const battle = battles[round.step];
  const lying = round.isAgain ? null : (battle ?? battles.at(-1));
  useEffect(() => {
    if (round.isAgain) return undefined;
    // Nobody looked: the score is enough.
    const onReturn = () => document.hidden || controls.showStep(battles.length);
    if (document.hidden) document.addEventListener("visibilitychange", onReturn);
    const timer = setTimeout(() => (battle ? controls.stepReveal() : controls.hideReveal()), battle ? BATTLE_FOR : SCORE_FOR);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, [round.round, round.step]);
  const press = (event) => {
    letGo(event);
    controls.skipReveal(null);
  };
  return html`<div class=${round.isAgain ? "reveal is-again" : "reveal is-live"} role="region" aria-label=${`Cards of round ${round.round}`}>
    <header><h2>${battle ? `Round ${round.round}` : headline(view, round)}</h2>${view.game.due_at && html`<${Countdown} dueAt=${view.game.due_at} />`}<button type="button" class="btn" onClick=${press}>${battle ? "Skip" : "Continue"}</button></header>
    ${lying && html`<${Battle} key=${`${lying.a}-${lying.b}`} battle=${lying} isAgain=${round.isAgain} />`}
    ${!battle && html`<${Score} round=${round} />`}
  </div>`;
}

function ResultLine({ battle }) {
  const { view } = useTable();
  const { taken, taken_by: taker } = battle;
  return html`<li class=${battleLook(view, battle)}><b>${battleLine(view, battle)}</b> <span>${why(battle)}${taken ? `; ${callName(view, taker)} +1 ${title(taken)}` : ""}</span></li>`;
}

/** The last round in words, own battles first. */
export function RoundResult() {
  const { view } = useTable();
  const round = view.game?.last_round;
  if (!round) return null;
  return html`<section class="round-result" aria-label=${`Result of round ${round.round}`} key=${round.round}>
    <p class="score-line">${round.mine && html`<${Icon} name="explosion" />`}<span>Round ${round.round}: ${scoreLine(view, round)}</span></p>
    <${Lines} round=${round} />
    ${!view.game.result && html`<${KnownBoard} />`}
  </section>`;
}

/** The last round in one line under the hand; it opens the whole round again. */
export function LastRound() {
  const { state, view, controls } = useTable();
  const round = view.game.last_round;
  if (!round || state.reveal) return null;
  const own = round.battles.filter(({ a, b }) => a === view.you.seat || b === view.you.seat);
  const open = (event) => {
    letGo(event);
    controls.showAgain();
  };
  return html`<button type="button" class="round-result" onClick=${open}><b>${headline(view, round)}</b> <span class="muted">${own.map((battle) => why(battle)).join(" · ")}</span></button>`;
}
