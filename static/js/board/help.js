// The list of keys, for every board.
import { html } from "preact";
import { Dialog } from "rr/board/parts";

/** keys: the game's keys besides "?", as [key, words]. */
export function Keys({ keys, onClose }) {
  return html`<${Dialog} title="Keys" onClose=${onClose}>
    <dl class="keys">${[...keys, ["?", "show these keys"]].map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words}</dd></div>`)}</dl>
    <p class="small muted">Every button also has a command: type <code>!help</code>. <a href="/settings/">Letter keys can be switched off.</a></p>
  <//>`;
}
