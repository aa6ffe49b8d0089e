// The whole board of a town: phase, own card, citizens, thread, side; what floats over it.
import { html } from "preact";
import { Icon } from "rr/icon";
import { HeadTools, LinkNotice, Toasts } from "rr/board/frame";
import { Announcer, Table, useTable } from "rr/board/parts";
import { PhaseHead } from "rr/mafia/phase";
import { TownSide } from "rr/mafia/side";
import { Thread } from "rr/mafia/thread";
import { Before } from "rr/agora/before";
import { Card } from "rr/agora/card";
import { Citizens } from "rr/agora/citizens";
import { Ending, Void } from "rr/agora/ending";
import { ShortRules, TownDialogs } from "rr/agora/help";
import { isMyMove, isRunning, may, phaseOf, roomsOf } from "rr/agora/words";

function Heading() {
  const { view, controls } = useTable();
  return html`<header class="table-head"><h1>${view.match.title}</h1>
    <${HeadTools}>${may(view, "leave") && html`<button type="button" class="btn" onClick=${() => controls.setUi({ ask: { leave: true } })}><${Icon} name="log-out" />Leave<span class="only-wide"> town</span></button>`}<//></header>`;
}

function Town() {
  const { view } = useTable();
  const { game, match } = view;
  if (!game) return match.status === "open" ? html`<${Before} />` : html`<${Void} />`;
  const first = match.status === "void" ? html`<${Void} />` : game.stage === "over" ? html`<${Ending} />` : html`<${Card} />`;
  return html`${first}${isRunning(view) && html`<${Citizens} />`}<${Thread} rooms=${roomsOf(view)} />`;
}

function Board() {
  const { state, view } = useTable();
  const isInert = state.link !== "open";
  const phase = phaseOf(view);
  return html`<div class="board-main">
      <${Heading} />
      <${LinkNotice} />
      ${phase.stage !== "over" && html`<${PhaseHead} stage=${phase.stage} title=${phase.title} note=${phase.note} dueAt=${view.match.status === "running" ? view.due_at : null} />`}
      <div class=${isInert ? "play is-inert" : "play"} inert=${isInert}><${Town} /></div>
      <${Toasts} />
    </div>
    <${TownSide} rules=${ShortRules} />
    <${Announcer} dueAt=${view.game?.due_at ?? null} isMine=${isMyMove(view)} />
    <${TownDialogs} />`;
}

export function AgoraApp({ table }) {
  return html`<${Table.Provider} value=${table}><${Board} /><//>`;
}
