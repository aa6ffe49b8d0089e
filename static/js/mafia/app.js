// The whole board of a town: phase, task, who lives, own card, thread, side; what floats over it.
import { html } from "preact";
import { Icon } from "rr/icon";
import { HeadTools, LinkNotice, Play, Toasts } from "rr/board/frame";
import { Announcer, Table, useTable } from "rr/board/parts";
import { Before } from "rr/mafia/before";
import { FootBar } from "rr/mafia/card";
import { Void } from "rr/mafia/ending";
import { isRunning, may, phaseOf, roomsOf } from "rr/mafia/game";
import { TownDialogs } from "rr/mafia/help";
import { OwnCard } from "rr/mafia/own_card";
import { PhaseHead } from "rr/mafia/phase";
import { SealedRead } from "rr/mafia/reads";
import { TownSide } from "rr/mafia/side";
import { Sky } from "rr/mafia/sky";
import { Thread } from "rr/mafia/thread";

function Heading() {
  const { view, controls } = useTable();
  return html`<header class="table-head"><h1><bdi>${view.match.title}</bdi></h1>
    <${HeadTools}>${may(view, "leave") && html`<button type="button" class="btn" onClick=${() => controls.setUi({ ask: { leave: true } })}><${Icon} name="log-out" /><span>Leave<span class="only-wide"> town</span></span></button>`}<//></header>`;
}

function Town({ parts }) {
  const { view } = useTable();
  const { game, match } = view;
  if (!game) return match.status === "open" ? html`<${Before} Options=${parts.Options} />` : html`<${Void} />`;
  const thread = html`<${Thread} rooms=${roomsOf(view, parts.rooms)} />`;
  if (!isRunning(view)) return html`${match.status === "void" ? html`<${Void} />` : html`<${parts.Ending} />`}${thread}`;
  return html`<div class="town-now"><${parts.Task} /><${parts.Players} /><${parts.Card} /><${SealedRead} /></div>${thread}<${FootBar} />`;
}

function Board({ parts }) {
  const { view } = useTable();
  const phase = phaseOf(view, parts.noteOf);
  return html`<div class="board-main">
      <${Heading} />
      <${LinkNotice} />
      ${phase.stage !== "over" && html`<${PhaseHead} stage=${phase.stage} title=${phase.title} note=${phase.note} dueAt=${view.match.status === "running" ? view.due_at : null} endsEarly=${parts.endsEarly(view)} mark=${parts.markOf(view)} />`}
      <${Play}><${Town} parts=${parts} /><//>
      <${Toasts} />
    </div>
    <${TownSide} rules=${parts.ShortRules} />
    <${Announcer} dueAt=${view.game?.due_at ?? null} isMine=${isRunning(view) && Boolean(view.game.you?.is_alive)} note=${`then the ${phase.stage} ends`} />
    <${TownDialogs} walk=${parts.walk} />
    <${Sky} stage=${phase.stage} />
    <${OwnCard} faceOf=${parts.faceOf} />`;
}

/**
 * The board of a game made of its parts: Task, Players, Card, Ending, ShortRules, Options are components;
 * noteOf(game) describes the end of a phase, endsEarly(view) whether a night may end before its time;
 * faceOf(view) is the viewer's card, markOf(view) the picture at the target of the night; rooms are the
 * game's own; walk describes a press on a player.
 */
export function townApp(parts) {
  return ({ table }) => html`<${Table.Provider} value=${table}><${Board} parts=${parts} /><//>`;
}
