// The viewer's own card: team, its points or the own danger, task, and the button that all have.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { callName } from "rr/board/seats";
import { listed } from "rr/board/wording";
import { DoneButton, LeaveQuestion } from "rr/mafia/card";
import { WaysOfTheDead } from "rr/mafia/dead";
import { isRunning, may } from "rr/mafia/game";
import { OpenSeats } from "rr/mafia/substitutes";
import { Scene } from "rr/dynamite/pictures";
import { Sign, Teams } from "rr/dynamite/team";
import { ABOUT, EXPLODES_AT, cardName, causeWords, latestDead, newsOf, ownLines, planLines, taskOf } from "rr/dynamite/words";

/** The most points that are drawn one by one. */
const DRAWN = 12;

function Pips({ full, held, most }) {
  const kinds = Array.from({ length: most }, (_, place) => (place < held ? "gauge-pip is-held" : place < full ? "gauge-pip is-full" : "gauge-pip"));
  return html`<span class="gauge-pips" aria-hidden="true">${kinds.map((kind, place) => html`<i key=${place} class=${kind} />`)}</span>`;
}

function Points({ own }) {
  const { view } = useTable();
  const plans = planLines(view);
  return html`<div class="gauge"><p><b>Action points</b> <b class="num">${own.points}</b>${own.reserved > 0 && html`<span class="muted"> · ${own.reserved} reserved</span>`}</p>
    <${Pips} full=${Math.min(own.points, DRAWN)} held=${Math.min(own.reserved, DRAWN)} most=${Math.min(Math.max(own.points, 2), DRAWN)} />
    ${plans.length > 0 && html`<ul class="plans" aria-label="Confrontations declared tonight">${plans.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}</div>`;
}

function Danger({ own }) {
  const danger = Math.min(own.danger, EXPLODES_AT);
  const word = own.danger >= EXPLODES_AT ? "too many" : danger === EXPLODES_AT - 1 ? "careful" : danger ? "smoking" : "calm";
  return html`<div class=${`gauge danger-${danger}`}><p><b>Danger</b> <b class="num">${own.danger}</b> of <b class="num">${EXPLODES_AT}</b> <span class="tag">${word}</span></p>
    <${Pips} full=${danger} held=${0} most=${EXPLODES_AT} />
    <p class="small muted">Each vote on you at the end of a day is one more; with ${EXPLODES_AT} you explode, else one goes.</p></div>`;
}

function Own() {
  const { view } = useTable();
  const own = view.game.you;
  const mates = own.mates?.filter((no) => no !== view.you.seat).map((no) => callName(view, no));
  const lines = ownLines(view);
  return html`<details class=${`role-card team-card team-${own.team}`} open>
    <summary><${Sign} team=${own.team} /><span><b>${cardName(own.team)}</b><small>${mates ? "Only your mafia knows." : "Nobody else knows."}</small></span></summary>
    <p class="small">${ABOUT[own.team]}</p>
    ${mates && html`<p class="small">With you: <b>${mates.length ? listed(mates) : "nobody, you are alone"}</b>.</p>`}
    ${own.danger === null ? html`<${Points} own=${own} />` : html`<${Danger} own=${own} />`}
    ${lines.length > 0 && html`<ul class="facts">${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
  </details>`;
}

/** The players who died at the last change of phase, with a picture of each cause. */
function News() {
  const { view } = useTable();
  const dead = latestDead(view.game);
  return html`<div class="obituaries"><p class="news" role="status">${newsOf(view)}</p>
    ${dead.length > 0 && html`<ul>${dead.map((player) => html`<li key=${player.no} class=${`obituary team-${player.team}`}>
      <span class="scenes">${player.causes.map((cause) => html`<${Scene} key=${cause} cause=${cause} team=${player.team} />`)}</span>
      <span class="obituary-words"><b>${callName(view, player.no)}</b><span class="small">${cardName(player.team)}</span><span class="small muted">${causeWords(player)}</span></span></li>`)}</ul>`}</div>`;
}

export function Card() {
  const { view } = useTable();
  const { game } = view;
  const task = taskOf(view);
  const mayBeDone = may(view, "done") || may(view, "undone");
  return html`<section class="panel dock town-card" aria-label="Your part">
    ${isRunning(view) && html`<${News} />`}
    ${game.you && html`<${Own} />`}
    <header class="dock-head"><h2 tabindex="-1">${task.heading}</h2></header>
    <p>${task.words}</p>
    <${WaysOfTheDead} />
    <${OpenSeats} />
    ${mayBeDone && html`<${DoneButton} word=${game.stage === "day" ? "Done for today" : "Done for tonight"} />`}
    <${LeaveQuestion}>You act no more and die when this phase ends; everybody is told then. You lose this game.<//>
    <${Teams} game=${game} own=${game.you?.team} />
  </section>`;
}
