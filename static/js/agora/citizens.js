// The citizens: who lives, who votes for whom; here the viewer votes by day and chooses by night.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Avatar, useTable } from "rr/board/parts";
import { AwayTag, BotMark } from "rr/mafia/substitutes";
import { filled } from "rr/board/said";
import { callName } from "rr/board/seats";
import { listed } from "rr/board/wording";
import { VOTES, isRunning, leadersOf, ownChoice, pressKind, tallyOf, votersFor } from "rr/mafia/game";
import { NOBODY, choiceName, fateOf, isLast, knownRole, roleWord } from "rr/agora/words";

function Disc({ chair }) {
  return html`<span class="target-disc" aria-hidden="true"><${Avatar} player=${chair?.player} /></span>`;
}

function Votes({ view, choice }) {
  const votes = tallyOf(view.game).get(choice) ?? 0;
  if (view.game.stage !== "day") return null;
  return html`<span class=${votes ? "votes has-votes" : "votes"}><b class="num">${votes}</b><span class="sr"> of ${view.game.needed} votes needed</span><span class="num muted" aria-hidden="true">/${view.game.needed}</span></span>`;
}

/** For whom a citizen votes: "you" for the viewer, "yourself" if it is the viewer's vote. */
export function voteWord(view, { no, vote }) {
  return vote === view.you.seat && no !== vote ? "you" : choiceName(view, vote);
}

function statusOf(view, citizen) {
  if (!citizen.is_alive) return fateOf(citizen);
  if (view.game.stage === "over") return "lived";
  if (view.game.stage !== "day") return "";
  return citizen.vote === null ? "no vote" : filled(VOTES, { choice: voteWord(view, citizen) });
}

/** A card to press; screen readers hear first what a press does. */
function PressCard({ view, choice, marks = "target citizen", children }) {
  const { controls } = useTable();
  const isVote = pressKind(view) === "vote";
  const isOwn = ownChoice(view) === choice;
  return html`<li><button type="button" class=${marks} aria-pressed=${isOwn} onClick=${() => controls.press(choice)}>
    <span class="sr">${isVote ? "Vote for " : "Choose: "}</span>${children}${isVote && !isOwn && isLast(view.game, choice) && html`<span class="sr">, the last vote needed</span>`}</button></li>`;
}

function Body({ view, citizen, chair }) {
  const status = statusOf(view, citizen);
  // The own role is shown above.
  const role = citizen.is_alive && citizen.no === view.you.seat ? null : knownRole(view, citizen);
  return html`<${Disc} chair=${chair} /><span class="target-text"><b>${callName(view, citizen.no)}<${BotMark} chair=${chair} /></b>
    <span>${citizen.is_alive ? "" : html`<span class="tag">dead</span>`}${chair?.is_open && html`<span class="tag">seat open</span>`}${citizen.is_alive && html`<${AwayTag} chair=${chair} />`}${role && html`<span class=${`tag role-${role}`}>${roleWord(role)}</span>`}${status}</span></span>
    ${citizen.is_alive && html`<${Votes} view=${view} choice=${citizen.no} />`}`;
}

function Citizen({ citizen }) {
  const { view } = useTable();
  const chair = view.seats[citizen.no];
  const isOpen = citizen.is_alive && pressKind(view) !== null;
  const marks = ["target", "citizen", !citizen.is_alive && "is-dead", view.you.seat === citizen.no && "is-mine"].filter(Boolean).join(" ");
  const body = html`<${Body} view=${view} citizen=${citizen} chair=${chair} />`;
  if (!isOpen) return html`<li class=${marks}>${body}</li>`;
  return html`<${PressCard} view=${view} choice=${citizen.no} marks=${marks}>${body}<//>`;
}

function Nobody() {
  const { view } = useTable();
  const isDay = view.game.stage === "day";
  const isOpen = pressKind(view) !== null;
  if (!isDay && !isOpen) return null;
  const body = html`<span class="target-disc" aria-hidden="true"><${Icon} name="ban" /></span><span class="target-text"><b>Nobody</b><span>${isDay ? "nobody is lynched" : "no action tonight"}</span></span><${Votes} view=${view} choice=${NOBODY} />`;
  if (!isOpen) return html`<li class="target citizen">${body}</li>`;
  return html`<${PressCard} view=${view} choice=${NOBODY}>${body}<//>`;
}

/** The votes in a line: who leads, and with whom; of several who lead only their number. */
function Leading() {
  const { view } = useTable();
  const leaders = leadersOf(view.game);
  if (!leaders) return html`<p class="small muted">No votes yet; <b class="num">${view.game.needed}</b> needed.</p>`;
  const { choices, votes } = leaders;
  const names = choices.map((choice) => (choice === NOBODY ? "Nobody" : callName(view, choice)));
  return html`<p class="small"><b>${listed(names)}</b>: <b class="num">${votes}</b> of the <b class="num">${view.game.needed}</b> votes needed${choices.length > 1 ? " each" : `, by ${votersFor(view, choices[0]).join(", ")}`}.</p>`;
}

export function Citizens() {
  const { view } = useTable();
  const { game } = view;
  const living = game.seats.filter((citizen) => citizen.is_alive);
  const dead = game.seats.filter((citizen) => !citizen.is_alive);
  return html`<section class="panel dock citizens-box" aria-label="The citizens">
    <header class="dock-head"><h2>Citizens</h2><span class="muted"><b class="num">${living.length}</b> of <b class="num">${game.seats.length}</b> live</span></header>
    ${isRunning(view) && game.stage === "day" && html`<${Leading} />`}
    <ul class="targets citizens">${[...living, ...dead].map((citizen) => html`<${Citizen} key=${citizen.no} citizen=${citizen} />`)}${isRunning(view) && html`<${Nobody} />`}</ul>
  </section>`;
}
