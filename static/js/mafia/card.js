// Parts of the viewer's card in every town: the button that all have, and leaving for good.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, Question, useTable } from "rr/board/parts";

/** word: the end of the label, as in "Done for tonight". */
export function DoneButton({ word }) {
  const { view, controls } = useTable();
  const own = view.game.you;
  if (!own?.is_alive) return null;
  return html`<div class="actions">${own.is_done
    ? html`<${ActButton} kind="undone" onPress=${() => controls.act("undone")}>Not done after all <kbd>D</kbd><//>`
    : html`<${ActButton} kind="done" class="btn btn-brass" onPress=${() => controls.act("done")}><${Icon} name="check" />${word} <kbd>D</kbd><//>`}</div>
    ${own.is_done && html`<p class="small muted" role="status">You are done. Nobody is shown who is.</p>`}`;
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
