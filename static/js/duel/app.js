// The whole board of a duel: heading, felt, dock, throws, side; what floats over it.
import { html } from "preact";
import { HeadTools, LinkNotice, Play, Toasts } from "rr/board/frame";
import { Announcer, Table, useTable } from "rr/board/parts";
import { Side } from "rr/board/side";
import { Arena } from "rr/duel/arena";
import { DuelDock } from "rr/duel/dock";
import { DuelDialogs, ShortDuelRules } from "rr/duel/help";
import { Strip } from "rr/duel/strip";
import { Throws } from "rr/duel/throws";
import { isMyMove } from "rr/duel/game";
import { titleOf } from "rr/duel/words";

function Heading() {
  const { view } = useTable();
  return html`<header class="table-head"><h1>${titleOf(view)}</h1><${HeadTools} /></header>`;
}

function Board() {
  const { view } = useTable();
  return html`<div class="board-main is-table">
      <${Heading} />
      <${LinkNotice} />
      <${Play}><${Arena} /><${DuelDock} /><//>
      <${Toasts} />
      <${Strip} />
      <${Throws} />
    </div>
    <${Side} rules=${ShortDuelRules} />
    <${Announcer} dueAt=${view.game?.due_at ?? null} isMine=${isMyMove(view)} />
    <${DuelDialogs} />`;
}

export function DuelApp({ table }) {
  return html`<${Table.Provider} value=${table}><${Board} /><//>`;
}
