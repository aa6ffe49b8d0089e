// The viewer's task, the deaths above it, and the box of the own role.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Question, useTable } from "rr/board/parts";
import { wordsOf } from "rr/board/said";
import { LeaveQuestion, Mates, RoleBox, TaskPanel } from "rr/mafia/card";
import { hasActed } from "rr/mafia/game";
import { Obituaries } from "rr/mafia/obituaries";
import { Warning } from "rr/mafia/substitutes";
import { Scene } from "rr/agora/pictures";
import { choiceName, fateOf, fellows, freshLines, knownRole, latestDead, newsOf, privateLines, questionAt, roleWord, taskOf } from "rr/agora/words";

export const ICONS = { citizen: "user", doctor: "plus", sheriff: "book-open", detective: "eye", mafioso: "mask", agent: "mask" };
const MARKS = { doctor: "plus", sheriff: "book-open", mafioso: "mask", agent: "book-open" };

/** The picture at the target of the night. */
export function markOf(view) {
  return MARKS[view.game?.you?.role];
}

/** The viewer's card, for the start of the game. */
export function faceOf(view) {
  const { role, side } = view.game.you;
  const [goal, tip] = wordsOf("agora").cards[role];
  return { look: `side-${side}`, picture: html`<${Icon} name=${ICONS[role]} />`, title: roleWord(role), goal, tip };
}

export function Card() {
  const { view } = useTable();
  const own = view.game.you;
  if (!own) return null;
  const mates = fellows(view);
  const lines = privateLines(view);
  return html`<${RoleBox} look=${`side-${own.side}`} picture=${html`<${Icon} name=${ICONS[own.role]} />`} title=${roleWord(own.role)} known=${mates === null ? "On the side of the town. Nobody else knows." : "On the side of the mafia. Only the mafia knows."}>
    <p class="small">${wordsOf("agora").about[own.role]}</p>
    ${mates !== null && html`<${Mates} mates=${mates} alone="You are the only mafioso." />`}
    ${lines.length > 0 && html`<ul class="facts">${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
  <//>`;
}

function Chosen() {
  const { view } = useTable();
  const own = view.game.you;
  if (view.game.stage !== "night" || !own?.is_alive || own.target === null) return null;
  return html`<p class="notice"><span>Tonight: <b>${choiceName(view, own.target)}</b>. ${own.role === "agent" && own.target !== "none" ? "That is final." : "It can be changed until dawn."}</span></p>`;
}

/** The question before a press that decides, or that is seldom meant. */
function Sure() {
  const { view, ui, controls } = useTable();
  const question = ui.ask?.choice === undefined ? null : questionAt(view, ui.ask.choice);
  if (!question) return null;
  return html`<${Question} title=${question.title} yes=${question.yes} no="Not yet" onYes=${() => controls.confirm(ui.ask)}>${question.text}<//>`;
}

/** The death at the last change of phase, and the news for the viewer alone. */
function News() {
  const { view } = useTable();
  const dead = latestDead(view).map((citizen) => {
    const role = knownRole(view, citizen);
    return { no: citizen.no, look: role ? `role-${role}` : "", pictures: html`<${Scene} cause=${citizen.cause} />`, card: role && roleWord(role), fate: fateOf(citizen) };
  });
  return html`<${Obituaries} news=${newsOf(view)} dead=${dead} />${freshLines(view).map((line) => html`<p key=${line} class="own-news"><${Icon} name="eye" /><span>${line} <span class="muted">Nobody else was told.</span></span></p>`)}`;
}

export function Task() {
  const { view } = useTable();
  const own = view.game.you;
  const badge = own && html`<span class=${`tag tag-${own.side}`}><${Icon} name=${ICONS[own.role]} />${roleWord(own.role)}</span>`;
  return html`<${TaskPanel} task=${taskOf(view)} badge=${badge} news=${html`<${News} />`}>
    <${Warning} hasActed=${hasActed(view)} /><${Chosen} /><${Sure} />
    <${LeaveQuestion}>You die at once and everybody is told so. You earn nothing and lose this game.<//>
  <//>`;
}
