// The result of a round: cards over the felt for a moment, lines in the dock until the next round.
import { html, useEffect } from "preact";
import { Icon } from "rr/icon";
import { Countdown, useTable } from "rr/board/parts";
import { callName, nameOf } from "rr/board/seats";
import { SmallCard } from "rr/showdown/cards";
import { title, why } from "rr/showdown/lore";
import { battleLine, battleLook, ownFirst, scoreLine } from "rr/showdown/wording";

const SHOWN_FOR = 2500;

/** The round that was over last, with its number; null before there is one. */
export function latest(game) {
  const round = game?.last_round;
  return round ? { ...round, number: round.round } : null;
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

function Battle({ battle }) {
  const { view } = useTable();
  const { a, b, a_weapon: left, b_weapon: right } = turned(battle, view.you.seat);
  return html`<li class="battle">
    <span class="battle-side"><span class="battle-name" title=${nameOf(view, a)}>${callName(view, a)}</span><${SmallCard} weapon=${left} look=${look(battle, a)} /></span>
    <b class="battle-mid">${verdict(view, battle)}</b>
    <span class="battle-side"><span class="battle-name" title=${nameOf(view, b)}>${callName(view, b)}</span><${SmallCard} weapon=${right} look=${look(battle, b)} /></span>
  </li>`;
}

/** The cards over the felt, for a moment or until the next key. */
export function Reveal({ round }) {
  const { view, controls } = useTable();
  useEffect(() => {
    const timer = setTimeout(() => controls.hideReveal(), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [round.round]);
  return html`<div class="reveal" role="region" aria-label=${`Cards of round ${round.round}`}>
    <header><h2>Round ${round.round}</h2><${Countdown} dueAt=${view.game.due_at} /><button type="button" class="btn" onClick=${() => controls.hideReveal()}>Go on</button></header>
    <ul class="battles">${ownFirst(view, round.battles).map((battle) => html`<${Battle} key=${`${battle.a}-${battle.b}`} battle=${battle} />`)}</ul>
  </div>`;
}

function ResultLine({ battle }) {
  const { view } = useTable();
  const { taken, taken_by: taker } = battle;
  return html`<li class=${battleLook(view, battle)}><b>${battleLine(view, battle)}</b> <span>${why(battle)}${taken ? `; ${callName(view, taker)} +1 ${title(taken)}` : ""}</span></li>`;
}

/** The last round in the dock, in words, own battles first. */
export function RoundResult() {
  const { view } = useTable();
  const round = view.game?.last_round;
  if (!round) return null;
  return html`<section class="round-result" aria-label=${`Result of round ${round.round}`} key=${round.round}>
    <p class="score-line" role="status">${round.mine && html`<${Icon} name="explosion" />`}<span>Round ${round.round}: ${scoreLine(view, round)}</span></p>
    <ul class="result-lines">${ownFirst(view, round.battles).map((battle) => html`<${ResultLine} key=${`${battle.a}-${battle.b}`} battle=${battle} />`)}</ul>
  </section>`;
}
