// The whole board: heading, felt, dock, side; what floats over it.
import { html, useEffect } from "preact";
import { Icon } from "rr/icon";
import { HeadTools, LinkNotice, Play, TableTitle, Toasts } from "rr/board/frame";
import { Announcer, Table, useTable } from "rr/board/parts";
import { LessonStrip } from "rr/board/practice";
import { Side } from "rr/board/side";
import { TIME_OUT } from "rr/showdown/betting";
import { Dock } from "rr/showdown/dock";
import { Felt } from "rr/showdown/felt";
import { Dialogs, ShortRules } from "rr/showdown/help";
import { Reveal, isScored } from "rr/showdown/reveal";
import { isMyMove } from "rr/showdown/seats";

function Heading() {
  const { view, controls, config } = useTable();
  const mayLeave = controls.may("leave") && !config.practice;
  return html`<header class="table-head">
    <${TableTitle} />
    <${HeadTools}>${mayLeave && html`<button type="button" class="btn" aria-label="Give up" onClick=${() => controls.setUi({ dialog: "leave" })}><${Icon} name="log-out" /><span class="only-wide">Give up</span></button>`}<//>
  </header>`;
}

function Warning() {
  const { view } = useTable();
  if (!view.game?.you?.warned || view.game.stage !== "round") return null;
  return html`<p class="notice notice-error" role="alert">You missed a round. One more without any choice counts as giving up.</p>`;
}

function Board() {
  const { state, view } = useTable();
  const isPlayed = view.match.status === "running" && ["betting", "round"].includes(view.game?.stage);
  const isFitted = isPlayed || !isScored(state.reveal);
  // The game begins where the hand lies, however far down the page Ready was pressed.
  useEffect(() => {
    if (isFitted) scrollTo({ top: 0 });
  }, [isFitted]);
  return html`<div class=${isFitted ? "board-main is-table is-fitted" : "board-main is-table"}>
      <${Heading} />
      <${LinkNotice} />
      <${Warning} />
      <${Play}><${Felt} />${state.reveal && html`<${Reveal} key=${state.reveal.round} />`}<div class="dock-slot"><${LessonStrip} /><${Dock} /></div><//>
      <${Toasts} />
    </div>
    <${Side} rules=${ShortRules} />
    <${Announcer} dueAt=${view.game?.due_at ?? null} isMine=${isMyMove(view)} note=${view.game?.stage === "betting" ? TIME_OUT : ""} />
    <${Dialogs} />`;
}

export function App({ table }) {
  return html`<${Table.Provider} value=${table}><${Board} /><//>`;
}
