// The actions that are possible now: choose, take it back, come in, leave.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, Face, letGo, useTable } from "rr/board/parts";
import { choiceOf, isIn, mayChoose } from "rr/arena/store";
import { capital } from "rr/board/wording";
import { MOVES } from "rr/arena/calculator";
import "rr/seat-wish"; // remembers that one wanted to enter
import { dockLines, guestLine, note, waitingLine, watchingLine } from "rr/arena/words";

function MoveButton({ move }) {
  const { view, state, controls } = useTable();
  const isChosen = choiceOf(state) === move;
  const words = isChosen ? "chosen" : note(move, view.options);
  const press = (event) => {
    letGo(event);
    controls.choose(move);
  };
  return html`<button type="button" class=${`card card-${move} throw-card`} disabled=${!mayChoose(view)} aria-pressed=${isChosen} onClick=${press}>
    <${Face} name=${move} word=${capital(move)} note=${words} /><kbd class="card-key">${move[0].toUpperCase()}</kbd>
  </button>`;
}

function NothingButton() {
  const { view, state, controls } = useTable();
  const isChosen = choiceOf(state) === null;
  const press = (event) => {
    letGo(event);
    controls.choose(null);
  };
  const effect = !view.you ? "no round" : view.you.bonus?.best_choice ? "best reply" : "by chance";
  return html`<button type="button" class="choose-nothing" disabled=${!mayChoose(view)} aria-pressed=${isChosen && mayChoose(view)} onClick=${press}>Nothing (${effect}) <kbd>N</kbd></button>`;
}

function Waiting() {
  const { view } = useTable();
  const line = waitingLine(view.you);
  return line && html`<p class="notice" role="status">${line}</p>`;
}

function Playing() {
  const { view, state, controls } = useTable();
  const [heading, line] = dockLines(view, choiceOf(state));
  const isLeaving = view.you.waits_until_round_end === "leave";
  return html`<section class="panel dock arena-dock" aria-label="Your throw">
    <header class="dock-head"><h2>${heading}</h2><p class="small muted">${line}</p></header>
    <${Waiting} />
    <div class="throw-cards move-cards">${MOVES.map((move) => html`<${MoveButton} key=${move} move=${move} />`)}</div>
    <div class="duel-tools"><${NothingButton} />
      ${isLeaving ? html`<${ActButton} kind="join" onPress=${() => controls.act("join")}>Stay after all<//>` : html`<${ActButton} kind="leave" onPress=${() => controls.act("leave")}><${Icon} name="log-out" />Leave<//>`}
    </div>
  </section>`;
}

function Watching() {
  const { view, controls } = useTable();
  return html`<section class="panel dock arena-dock" aria-label="Come in">
    <header class="dock-head"><h2>${view.you.is_watching_because === "idle" ? "You were moved to watching" : "You are watching"}</h2></header>
    <p>${watchingLine(view)}</p>
    <div class="actions"><${ActButton} kind="join" class="btn btn-brass btn-big" onPress=${() => controls.act("join")}><${Icon} name="fist" />Enter the arena<//></div>
  </section>`;
}

function Doors({ look }) {
  const { config } = useTable();
  return html`<div class=${look}><a class="btn" href=${config.login_url} data-seat="arena">Log in</a><a class="btn btn-brass btn-big" href=${config.signup_url} data-seat="arena">Sign up and enter (${config.grant} free points)</a></div>`;
}

/** A guest's few rounds; only this browser learns what comes of them. */
function Guest() {
  const { view, state } = useTable();
  const { guest } = view;
  if (!mayChoose(view)) {
    return html`<section class="panel dock arena-dock" aria-label="Come in">
      <header class="dock-head"><h2>${guest?.last ? "Those were your rounds" : "You are watching"}</h2>${guest?.last && html`<p class="small muted">${guestLine(guest)}</p>`}</header>
      <p>With an account your rounds count: a score, a streak, the leaderboard, a season each evening.</p>
      <${Doors} look="actions" />
    </section>`;
  }
  const [heading, line] = dockLines(view, choiceOf(state));
  return html`<section class="panel dock arena-dock" aria-label="Your throw">
    <header class="dock-head"><h2>${heading}</h2><p class="small muted">${line}</p></header>
    <div class="throw-cards move-cards">${MOVES.map((move) => html`<${MoveButton} key=${move} move=${move} />`)}</div>
    <div class="duel-tools"><${NothingButton} /></div>
    <${Doors} look="duel-tools" />
  </section>`;
}

export function Dock() {
  const { view } = useTable();
  if (!view.you) return html`<${Guest} />`;
  return isIn(view) ? html`<${Playing} />` : html`<${Watching} />`;
}
