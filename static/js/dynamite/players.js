// The living players and their votes, and the dead; here the viewer votes by day and confronts by night.
import { html } from "preact";
import { Avatar, useTable } from "rr/board/parts";
import { filled } from "rr/board/said";
import { callName, nameOf } from "rr/board/seats";
import { listed } from "rr/board/wording";
import { VOTES, leadersOf, ownChoice, pressKind, tallyOf, votersFor } from "rr/mafia/game";
import { AwayTag, BotMark } from "rr/mafia/substitutes";
import { Scene } from "rr/dynamite/pictures";
import { Badge, Teams } from "rr/dynamite/team";
import { cardName, fateOf } from "rr/dynamite/words";

/** Whether a press on this player means something: nobody votes for oneself, or confronts a mate. */
export function canPress(view, player) {
  const kind = pressKind(view);
  if (!player.is_alive || kind === null || player.no === view.you.seat) return false;
  return kind === "vote" || !view.game.you.mates.includes(player.no);
}

/** The team of a player as far as the viewer knows it. */
export function teamOf(view, player) {
  const own = view.game.you;
  if (player.team) return player.team;
  if (!own) return null;
  return player.no === view.you.seat || own.mates?.includes(player.no) ? own.team : null;
}

export function votesOf(view, no) {
  return tallyOf(view.game).get(no) ?? 0;
}

function Disc({ chair }) {
  return html`<span class="target-disc" aria-hidden="true"><${Avatar} player=${chair?.player} /></span>`;
}

function Votes({ count }) {
  return html`<span class=${count ? "votes has-votes" : "votes"}><b class="num">${count}</b><span class="sr"> ${count === 1 ? "vote" : "votes"}</span></span>`;
}

function statusOf(view, player) {
  if (view.game.stage === "day") return player.vote === null ? "no vote" : filled(VOTES, { choice: player.vote === view.you.seat ? "you" : nameOf(view, player.vote) });
  const plan = view.game.you?.confrontations?.find(([attacker]) => attacker === player.no);
  return plan ? `confronts ${nameOf(view, plan[1])}` : "";
}

/** The effect of a press, for screen readers, before the player's name. */
function pressWord(view) {
  return pressKind(view) === "confront" ? "Confront " : "Vote for ";
}

function Living({ player }) {
  const { view, controls } = useTable();
  const chair = view.seats[player.no];
  const team = teamOf(view, player);
  const marks = ["target", "citizen", team && `team-edge team-${team}`, view.you.seat === player.no && "is-mine"].filter(Boolean).join(" ");
  const body = html`<${Disc} chair=${chair} /><span class="target-text"><b>${callName(view, player.no)}<${BotMark} chair=${chair} /></b><span>${chair?.is_open && html`<span class="tag">seat open</span>`}<${AwayTag} chair=${chair} />${team && html`<${Badge} team=${team} />`} ${statusOf(view, player)}</span></span>
    ${view.game.stage === "day" && html`<${Votes} count=${votesOf(view, player.no)} />`}`;
  if (!canPress(view, player)) return html`<li class=${marks}>${body}</li>`;
  return html`<li><button type="button" class=${marks} aria-pressed=${ownChoice(view) === player.no} onClick=${() => controls.press(player.no)}><span class="sr">${pressWord(view)}</span>${body}</button></li>`;
}

function Dead({ player }) {
  const { view } = useTable();
  return html`<li class=${`grave team-${player.team}`}><${Scene} cause=${player.causes[0]} team=${player.team} />
    <span class="obituary-words"><b>${callName(view, player.no)}</b><${Badge} team=${player.team} word=${cardName(player.team)} /><span class="small muted">${fateOf(player)}</span></span></li>`;
}

/** The votes in a line: the player with most of them, and their voters; of several only the number. */
function Leading() {
  const { view } = useTable();
  const { game } = view;
  const open = game.seats.filter((player) => player.is_alive && player.vote === null).length;
  const missing = open ? html` <b class="num">${open}</b> ${open === 1 ? "has" : "have"} no vote yet.` : "";
  const leaders = leadersOf(game);
  if (!leaders) return html`<p class="small muted">No votes yet.</p>`;
  const { choices, votes } = leaders;
  return html`<p class="small"><b>${listed(choices.map((seat) => callName(view, seat)))}</b>: <b class="num">${votes}</b> ${votes === 1 ? "vote" : "votes"}${choices.length > 1 ? " each" : `, by ${votersFor(view, choices[0]).join(", ")}`}.${missing}</p>`;
}

export function Players() {
  const { view } = useTable();
  const { game } = view;
  const living = game.seats.filter((player) => player.is_alive);
  const dead = game.seats.filter((player) => !player.is_alive);
  return html`<section class="panel dock citizens-box" aria-label="The players">
    <header class="dock-head"><h2>Players</h2><span class="muted"><b class="num">${living.length}</b> of <b class="num">${game.seats.length}</b> live</span></header>
    ${game.stage === "day" && html`<${Leading} />`}
    <ul class="targets citizens">${living.map((player) => html`<${Living} key=${player.no} player=${player} />`)}</ul>
    ${dead.length > 0 && html`<h3>The dead</h3><ul class="graves">${dead.map((player) => html`<${Dead} key=${player.no} player=${player} />`)}</ul>`}
    <${Teams} game=${game} own=${game.you?.team} />
  </section>`;
}
