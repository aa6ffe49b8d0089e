// Parts that every town has for its players: the task, the button that all have, leaving for good.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, Question, letGo, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { WaysOfTheDead } from "rr/mafia/dead";
import { isUnchosen, may, roomsOf } from "rr/mafia/game";
import { notebookOf } from "rr/mafia/memory";
import { OpenSeats } from "rr/mafia/substitutes";

/** The viewer's task now; in a replay whose eyes these are. task: {heading, words}; badge: the own role; children: the game's part below. */
export function TaskPanel({ task, news, badge, children }) {
  const { view, config } = useTable();
  const { heading, words } = config.replay && view.game.you ? { heading: nameOf(view, view.you.seat), words: "" } : task;
  const isGuest = !view.game.you && view.you.name === null;
  return html`<section class="panel dock town-card" aria-label="Your part">
    ${news}
    <header class="dock-head"><h2 tabindex="-1">${heading}</h2>${badge && html`<span class="own-badge"><span class="sr">You are: </span>${badge}</span>`}</header>
    ${words && html`<p>${words}${isGuest && html` <a href=${config.like_it_url}>Play one like it: sign up</a>`}</p>`}
    <${WaysOfTheDead} />
    <${OpenSeats} />
    ${children}
  </section>`;
}

/** The question before a Done by a player who could have chosen somebody. */
function Unchosen() {
  const { view, ui, controls } = useTable();
  if (!ui.ask?.done || !isUnchosen(view)) return null;
  const yes = () => {
    controls.setUi({ ask: null });
    controls.act("done");
  };
  return html`<${Question} title="Done: nobody chosen?" yes="Done" no="Choose" onYes=${yes}>You have chosen nobody tonight. You can still do so until the night ends.<//>`;
}

/** From the town to the talk and back, where they are not on one screen; with the number of unread posts. */
function TalkButton() {
  const { view, ui, config } = useTable();
  const readTo = ui.readTo ?? notebookOf(config).readTo;
  const unread = roomsOf(view).reduce((sum, { room, lines }) => sum + Math.max(0, lines - (readTo[room] ?? 0)), 0);
  const go = (event) => {
    letGo(event);
    document.querySelector(ui.isInTalk ? ".town-now" : ".thread").scrollIntoView({ block: "start" });
  };
  if (ui.isInTalk) return html`<button type="button" class="btn to-talk" onClick=${go}><${Icon} name="users" />Town</button>`;
  return html`<button type="button" class="btn to-talk" onClick=${go}><${Icon} name="message-square" />Talk${unread > 0 && html` <span class="unread num">${unread}<span class="sr"> unread</span></span>`}</button>`;
}

/** Done, or Undo: every living player has it. */
function Done() {
  const { view, controls } = useTable();
  const own = view.game.you;
  if (!own?.is_alive || !(may(view, "done") || may(view, "undone"))) return null;
  const word = view.game.stage === "day" ? "Done for today" : "Done for tonight";
  const press = () => controls.toggleDone();
  return html`${own.is_done
    ? html`<p class="small" role="status"><b>You are done.</b> Nobody is shown who is.</p><${ActButton} kind="undone" onPress=${press}>Undo <kbd>D</kbd><//>`
    : html`<${ActButton} kind="done" class="btn btn-brass" onPress=${press}><${Icon} name="check" />${word} <kbd>D</kbd><//>`}
    <${Unchosen} />`;
}

/** The bar at the foot of the window: to the talk, and Done. */
export function FootBar() {
  return html`<div class="panel done-bar"><${TalkButton} /><${Done} /></div>`;
}

/** The viewer's role or team: open in the first phase, then folded. */
export function RoleBox({ look, picture, title, known, children }) {
  const { view } = useTable();
  return html`<details class=${`panel role-card ${look}`} open=${view.game.phase === 1}>
    <summary>${picture}<span><b>${title}</b><small>${known}</small></span></summary>${children}</details>`;
}

/** The other members of the own mafia, the dead struck through. mates: [{no, name, isDead}]; alone: what to say without any. */
export function Mates({ mates, alone }) {
  if (!mates.length) return html`<p class="small">${alone}</p>`;
  return html`<p class="small">With you: ${mates.map(({ no, name, isDead }, place) => html`${place > 0 && ", "}${isDead ? html`<s key=${no}>${name}<span class="sr">, dead</span></s>` : html`<b key=${no}>${name}</b>`}`)}.</p>`;
}

/** children: the consequences of leaving in this game. */
export function LeaveQuestion({ children }) {
  const { ui, controls } = useTable();
  if (!ui.ask?.leave) return null;
  const yes = () => {
    controls.setUi({ ask: null });
    controls.act("leave");
  };
  return html`<${Question} title="Leave town for good?" yes="Leave town" no="Stay" isBad onYes=${yes}>${children} Closing the page is not leaving.<//>`;
}
