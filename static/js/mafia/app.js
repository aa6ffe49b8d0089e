// The whole board of a town: phase, own card, who lives, thread, side; what floats over it.
import { html } from "preact";
import { Icon } from "rr/icon";
import { HeadTools, LinkNotice, Toasts, isInert } from "rr/board/frame";
import { Announcer, Table, useTable } from "rr/board/parts";
import { Before } from "rr/mafia/before";
import { Void } from "rr/mafia/ending";
import { isMyMove, isRunning, may, phaseOf, roomsOf } from "rr/mafia/game";
import { TownDialogs } from "rr/mafia/help";
import { PhaseHead } from "rr/mafia/phase";
import { TownSide } from "rr/mafia/side";
import { Thread } from "rr/mafia/thread";

function Heading() {
  const { view, controls } = useTable();
  return html`<header class="table-head"><h1>${view.match.title}</h1>
    <${HeadTools}>${may(view, "leave") && html`<button type="button" class="btn" onClick=${() => controls.setUi({ ask: { leave: true } })}><${Icon} name="log-out" />Leave<span class="only-wide"> town</span></button>`}<//></header>`;
}

function Town({ parts }) {
  const { view } = useTable();
  const { game, match } = view;
  if (!game) return match.status === "open" ? html`<${Before} Options=${parts.Options} />` : html`<${Void} />`;
  const first = match.status === "void" ? html`<${Void} />` : game.stage === "over" ? html`<${parts.Ending} />` : html`<${parts.Card} />`;
  return html`${first}${isRunning(view) && html`<${parts.Players} />`}<${Thread} rooms=${roomsOf(view, parts.rooms)} />`;
}

function Board({ parts }) {
  const { state, view } = useTable();
  const isOff = isInert(state);
  const phase = phaseOf(view, parts.noteOf);
  return html`<div class="board-main">
      <${Heading} />
      <${LinkNotice} />
      ${phase.stage !== "over" && html`<${PhaseHead} stage=${phase.stage} title=${phase.title} note=${phase.note} dueAt=${view.match.status === "running" ? view.due_at : null} />`}
      <div class=${isOff ? "play is-inert" : "play"} inert=${isOff}><${Town} parts=${parts} /></div>
      <${Toasts} />
    </div>
    <${TownSide} rules=${parts.ShortRules} />
    <${Announcer} dueAt=${view.game?.due_at ?? null} isMine=${isMyMove(view)} />
    <${TownDialogs} walk=${parts.walk} />`;
}

/**
 * The board of a game made of its parts: Card, Players, Ending, ShortRules, Options are components;
 * noteOf(game) describes the end of a phase; rooms are the game's own; walk describes a press on a player.
 */
export function townApp(parts) {
  return ({ table }) => html`<${Table.Provider} value=${table}><${Board} parts=${parts} /><//>`;
}
