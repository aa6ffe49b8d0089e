// The whole board: heading, felt, dock, side; what floats over it.
import { html } from "preact";
import { Icon } from "rr/icon";
import { HeadTools, LinkNotice, Toasts } from "rr/board/frame";
import { Announcer, Table, useTable } from "rr/board/parts";
import { Side } from "rr/board/side";
import { Dock } from "rr/showdown/dock";
import { Felt } from "rr/showdown/felt";
import { Dialogs, ShortRules } from "rr/showdown/help";
import { isMyMove } from "rr/showdown/seats";

function Heading() {
  const { view, controls } = useTable();
  const { match } = view;
  return html`<header class="table-head">
    <h1>${match.title}</h1>
    <${HeadTools}>${controls.may("leave") && html`<button type="button" class="btn" onClick=${() => controls.setUi({ dialog: "leave" })}><${Icon} name="log-out" />Give up</button>`}<//>
  </header>`;
}

function Warning() {
  const { view } = useTable();
  if (!view.game?.you?.warned || view.game.stage !== "round") return null;
  return html`<p class="notice notice-error" role="alert">You missed a round. One more without any choice counts as giving up.</p>`;
}

function Board() {
  const { state, view } = useTable();
  const isInert = state.link !== "open";
  return html`<div class="board-main">
      <${Heading} />
      <${LinkNotice} />
      <${Warning} />
      <div class=${isInert ? "play is-inert" : "play"} inert=${isInert}><${Felt} /><${Dock} /></div>
      <${Toasts} />
    </div>
    <${Side} rules=${ShortRules} />
    <${Announcer} dueAt=${view.game?.due_at ?? null} isMine=${isMyMove(view)} note=${view.game?.stage === "betting" ? "no answer folds" : ""} />
    <${Dialogs} />`;
}

export function App({ table }) {
  return html`<${Table.Provider} value=${table}><${Board} /><//>`;
}
