// What happened in a round: each battle as two cards, who won and why, and the score of it.
import { html, useEffect } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { callName, nameOf } from "rr/board/seats";
import { signed } from "rr/board/wording";
import { SmallCard } from "rr/showdown/cards";
import { title, why } from "rr/showdown/lore";
import { scoreLine } from "rr/showdown/wording";

const SHOWN_FOR = 9000;
const LAST_SHOWN_FOR = 4000; // the last round is told below the ending as well

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
  const { a, b, a_weapon: left, b_weapon: right, taken, taken_by: taker } = turned(battle, view.you.seat);
  return html`<li class="battle">
    <span class="battle-side"><span class="battle-name" title=${nameOf(view, a)}>${callName(view, a)}</span><${SmallCard} weapon=${left} look=${look(battle, a)} /></span>
    <span class="battle-mid"><b>${verdict(view, battle)}</b><span>${why(battle)}</span>${taken && html`<span class="battle-taken">${callName(view, taker)} +1 ${title(taken)}</span>`}</span>
    <span class="battle-side"><span class="battle-name" title=${nameOf(view, b)}>${callName(view, b)}</span><${SmallCard} weapon=${right} look=${look(battle, b)} /></span>
  </li>`;
}

function Scores({ round }) {
  const { view } = useTable();
  const rows = Object.entries(round.wins).map(([no, wins]) => ({ no: Number(no), wins, points: round.points[no] ?? 0 }));
  return html`<ul class="scores">${rows.map(({ no, wins, points }) => html`<li class=${points ? "has-points" : ""}>
    <b>${callName(view, no)}</b> <span>${wins} ${wins === 1 ? "win" : "wins"}</span> <b class="num">${points ? `${signed(points)} VP` : "0 VP"}</b>
  </li>`)}</ul>`;
}

/** All of a round; own battles first. */
export function RoundStory({ round }) {
  const { view } = useTable();
  const own = view.you.seat;
  const isOwn = (battle) => battle.a === own || battle.b === own;
  const battles = [...round.battles].sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
  return html`<p class="score-line">${round.mine && html`<${Icon} name="explosion" />`}<span>${scoreLine(view, round)}</span></p>
    <${Scores} round=${round} />
    <ul class="battles">${battles.map((battle) => html`<${Battle} key=${`${battle.a}-${battle.b}`} battle=${battle} />`)}</ul>`;
}

/** The round over the felt, for a while or until it is waved away. */
export function Reveal({ round }) {
  const { view, controls } = useTable();
  const isLast = view.game?.stage === "over";
  useEffect(() => {
    const timer = setTimeout(() => controls.hideReveal(), isLast ? LAST_SHOWN_FOR : SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [round.round, isLast]);
  return html`<div class="reveal" role="region" aria-label=${`Round ${round.round}`} tabindex="0">
    <header><h2>Round ${round.round}</h2><button type="button" class="btn" onClick=${() => controls.hideReveal()}>Go on</button></header>
    <${RoundStory} round=${round} />
  </div>`;
}

/** The same, kept below the tray until the next round is over. */
export function LastRound() {
  const { view } = useTable();
  const round = view.game?.last_round;
  if (!round) return null;
  return html`<details class="panel last-round" key=${round.round} open=${view.game.stage === "over"}>
    <summary><h2>What happened in round ${round.round}</h2></summary>
    <div class="pad"><${RoundStory} round=${round} /></div>
  </details>`;
}
