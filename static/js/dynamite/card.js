// The viewer's task with the own gauge, the deaths above it, and the box of the own team.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { LeaveQuestion, Mates, RoleBox, TaskPanel } from "rr/mafia/card";
import { Obituaries } from "rr/mafia/obituaries";
import { Scene } from "rr/dynamite/pictures";
import { Badge, Sign } from "rr/dynamite/team";
import { ABOUT, CARDS, EXPLODES_AT, cardName, causeWords, dangerNow, freshLines, latestDead, newsOf, ownLines, planLines, taskOf } from "rr/dynamite/words";

/** The most points that are drawn one by one. */
const DRAWN = 12;

/** The viewer's card, for the start of the game. */
export function faceOf(view) {
  const { team } = view.game.you;
  const [goal, tip] = CARDS[team];
  return { look: `team-${team}`, picture: html`<${Sign} team=${team} />`, title: cardName(team), goal, tip };
}

/** The first pips are full, the next of them held. */
function Pips({ full, held, most }) {
  const kinds = Array.from({ length: most }, (_, place) => (place < full ? "is-full" : place < full + held ? "is-held" : ""));
  return html`<span class="gauge-pips" aria-hidden="true">${kinds.map((kind, place) => html`<i key=${place} class=${`gauge-pip ${kind}`} />`)}</span>`;
}

function Points({ own }) {
  const { view } = useTable();
  const plans = planLines(view);
  const [points, held] = [Math.min(own.points, DRAWN), Math.min(own.reserved, DRAWN)];
  return html`<div class="gauge"><p><b>Action points</b> <b class="num">${own.points}</b>${own.reserved > 0 && html`<span class="muted"> · ${own.reserved} reserved</span>`}</p>
    <${Pips} full=${Math.max(0, points - held)} held=${held} most=${Math.max(points, 2)} />
    ${plans.length > 0 && html`<ul class="plans" aria-label="Confrontations declared tonight">${plans.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}</div>`;
}

function Danger() {
  const { view } = useTable();
  const { danger, held, level, words } = dangerNow(view);
  if (!words) return null;
  return html`<div class=${`gauge danger-${level}`}><p><b>Danger</b> ${words}</p>
    <${Pips} full=${Math.min(danger, EXPLODES_AT)} held=${held} most=${EXPLODES_AT} /></div>`;
}

/** The points of the own mafia, or the own danger. */
function Gauge() {
  const { view } = useTable();
  const own = view.game.you;
  if (!own) return null;
  return own.danger === null ? html`<div class=${`team-${own.team}`}><${Points} own=${own} /></div>` : html`<${Danger} />`;
}

export function Card() {
  const { view } = useTable();
  const own = view.game.you;
  if (!own) return null;
  const dead = new Set(view.game.seats.filter((player) => !player.is_alive).map(({ no }) => no));
  const mates = own.mates?.filter((no) => no !== view.you.seat).map((no) => ({ no, name: nameOf(view, no), isDead: dead.has(no) }));
  const lines = ownLines(view);
  return html`<${RoleBox} look=${`team-card team-${own.team}`} picture=${html`<${Sign} team=${own.team} />`} title=${cardName(own.team)} known=${mates ? "Only your mafia knows." : "Nobody else knows."}>
    <p class="small">${own.is_alive || mates ? ABOUT[own.team] : "You are dead, and so you have lost."}</p>
    ${mates && html`<${Mates} mates=${mates} alone="You are the only one of your mafia." />`}
    ${own.danger !== null && own.is_alive && html`<p class="small">Each vote on you at the end of a day is one danger point. At ${EXPLODES_AT} you explode; otherwise it drops by 1.</p>`}
    ${lines.length > 0 && html`<ul class="facts">${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
  <//>`;
}

/** The players who died at the last change of phase, and the outcome of the own confrontation. */
function News() {
  const { view } = useTable();
  const dead = latestDead(view.game).map((player) => ({ no: player.no, look: `team-${player.team}`, pictures: player.causes.map((cause) => html`<${Scene} key=${cause} cause=${cause} team=${player.team} />`), card: cardName(player.team), fate: causeWords(player) }));
  return html`<${Obituaries} news=${newsOf(view)} dead=${dead} />${freshLines(view).map((line) => html`<p key=${line} class="own-news">${line}</p>`)}`;
}

export function Task() {
  const { view } = useTable();
  const own = view.game.you;
  const badge = own && html`<${Badge} team=${own.team} word=${cardName(own.team)} />`;
  return html`<${TaskPanel} task=${taskOf(view)} badge=${badge} news=${html`<${News} />`}>
    <${Gauge} />
    <${LeaveQuestion}>You act no more and die when this phase ends; everybody is told then. You lose this game.<//>
  <//>`;
}
