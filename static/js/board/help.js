// What lies over every board: which keys there are.
import { html } from "preact";
import { Dialog } from "rr/board/parts";

/** keys: what each of the game's keys does, as [key, words]. */
export function Keys({ keys, onClose }) {
  return html`<${Dialog} title="Keys" onClose=${onClose}>
    <dl class="keys">${keys.map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words}</dd></div>`)}</dl>
    <p class="small muted">Every button also has a command: type <code>!help</code>.</p>
  <//>`;
}
