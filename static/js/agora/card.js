// The viewer's own card: role, knowledge, task, and the button that all have.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Question, useTable } from "rr/board/parts";
import { DoneButton, LeaveQuestion } from "rr/mafia/card";
import { WaysOfTheDead } from "rr/mafia/dead";
import { hasActed, isRunning } from "rr/mafia/game";
import { OpenSeats, Warning } from "rr/mafia/substitutes";
import { wordsOf } from "rr/board/said";
import { choiceName, fellows, newsOf, privateLines, roleWord, taskOf } from "rr/agora/words";

const ICONS = { citizen: "user", doctor: "plus", sheriff: "book-open", detective: "eye", mafioso: "mask", agent: "mask" };

function Role() {
  const { view } = useTable();
  const own = view.game.you;
  const others = fellows(view);
  const lines = privateLines(view);
  return html`<details class=${`role-card side-${own.side}`} open>
    <summary><${Icon} name=${ICONS[own.role]} /><span><b>${roleWord(own.role)}</b><small>${others === null ? "On the side of the town. Nobody else knows." : "On the side of the mafia. Only the mafia knows."}</small></span></summary>
    <p class="small">${wordsOf("agora").about[own.role]}</p>
    ${others !== null && html`<p class="small">With you: <b>${others}</b>.</p>`}
    ${lines.length > 0 && html`<ul class="facts">${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
  </details>`;
}

function Chosen() {
  const { view } = useTable();
  const own = view.game.you;
  if (view.game.stage !== "night" || !own?.is_alive || own.target === null) return null;
  return html`<p class="notice" role="status"><span>Tonight: <b>${choiceName(view, own.target)}</b>. ${own.role === "agent" && own.target !== "none" ? "That is final." : "It can be changed until dawn."}</span></p>`;
}

/** The question before an action that cannot be taken back. */
function Final() {
  const { view, ui, controls } = useTable();
  if (!ui.ask || ui.ask.leave) return null;
  const { choice } = ui.ask;
  const yes = () => {
    controls.setUi({ ask: null });
    controls.act("choose", { target: choice });
  };
  return html`<${Question} title="Turn this file round?" yes="Turn it round" no="Not yet" onYes=${yes}>The file on ${choiceName(view, choice)} is turned round at once. For this night that is final.<//>`;
}

export function Card() {
  const { view } = useTable();
  const task = taskOf(view);
  return html`<section class="panel dock town-card" aria-label="Your part">
    ${isRunning(view) && html`<p class="news" role="status">${newsOf(view)}</p>`}
    ${view.game.you && html`<${Role} />`}
    <header class="dock-head"><h2 tabindex="-1">${task.heading}</h2></header>
    <p>${task.words}</p>
    <${WaysOfTheDead} />
    <${Warning} hasActed=${hasActed(view)} /><${OpenSeats} />
    <${Chosen} />${view.game.stage === "night" && html`<${DoneButton} word="Done for tonight" />`}<${Final} />
    <${LeaveQuestion}>You die at once and everybody is told so. You earn nothing and lose this game.<//>
  </section>`;
}
