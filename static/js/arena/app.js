// The whole page of the arena: heading, floor, dock, streak; beside them who is there.
import { html } from "preact";
import { Icon } from "rr/icon";
import { LinkBadge, LinkNotice, Play, SoundButton, Toasts } from "rr/board/frame";
import { Table, useTable } from "rr/board/parts";
import { CommandLine } from "rr/arena/commands";
import { ArenaDialogs } from "rr/arena/dialogs";
import { Dock } from "rr/arena/dock";
import { Floor, Seen } from "rr/arena/floor";
import { Names } from "rr/arena/names";
import { Rivals, Season } from "rr/arena/rivals";
import { Figures, Streak } from "rr/arena/streak";
import { Wishes } from "rr/arena/wishes";
import { spoken } from "rr/arena/words";

function Heading() {
  const { view, config, controls } = useTable();
  return html`<header class="table-head"><h1>Arena</h1><div class="cluster">
    <${LinkBadge} />
    <span class="pill"><${Icon} name="users" /><b class="num">${(view.people + view.bots).toLocaleString("en")}</b><span class="pill-word">in</span></span>
    <a class="btn btn-icon" href=${config.board_url} aria-label="Leaderboard"><${Icon} name="trophy" /></a>
    <a class="btn btn-icon" href=${config.rules_url} aria-label="Rules and calculator"><${Icon} name="book-open" /></a>
    <button type="button" class="btn btn-icon only-wide" aria-label="Keys" onClick=${() => controls.open("help")}><${Icon} name="circle-help" /></button>
    <${SoundButton} />
  </div></header>`;
}

/** Each round once, in one line, when its result is there. */
function Spoken() {
  const { view } = useTable();
  return html`<div class="sr" role="status" aria-live="polite">${spoken(view)}</div>`;
}

function Board() {
  const { view } = useTable();
  return html`<div class="board-main">
      <${Heading} />
      <${LinkNotice} />
      <${Play}><${Floor} /><${Dock} /><${Seen} />${view.you && html`<${Streak} /><${Wishes} />`}<//>
    </div>
    <div class="arena-side">
      <${Rivals} />
      <${Season} />
      ${view.you && html`<${Figures} />`}
      <${Names} />
      ${view.you && html`<${CommandLine} />`}
    </div>
    <${Spoken} />
    <${Toasts} />
    <${ArenaDialogs} />`;
}

export function ArenaApp({ table }) {
  return html`<${Table.Provider} value=${table}><${Board} /><//>`;
}
