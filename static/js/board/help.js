// Questions over the board: which keys there are, and whether one means to leave.
import { html } from "preact";
import { Dialog, useTable } from "rr/board/parts";

const KEYS = [
  ["C", "call or check"],
  ["R", "raise by the amount shown"],
  ["F", "fold"],
  ["1 – 9", "attack with a weapon: 1 rock, 2 paper, 3 scissors, then the combined ones"],
  ["Left, Right", "other opponent"],
  ["Shift + 1–3", "pick a weapon to combine (or M, then 1–3)"],
  ["Enter", "make the combination, else lock in"],
  ["L", "lock in or unlock"],
  ["X", "take all attacks of this round back"],
  ["Esc", "close what lies over the table"],
  ["?", "this list"],
];

/** The list of keys; a game brings its own. */
export function Keys({ keys = KEYS, onClose }) {
  return html`<${Dialog} title="Keys" onClose=${onClose}>
    <dl class="keys">${keys.map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words}</dd></div>`)}</dl>
    <p class="small muted">Every button also has a command: type <code>!help</code>.</p>
  <//>`;
}

function Leave({ onClose }) {
  const { controls } = useTable();
  const leave = () => {
    controls.act("leave");
    onClose();
  };
  return html`<${Dialog} title="Give up this game?" onClose=${onClose}>
    <p>What you have put into the pot stays there, and you are out of this game for good. Closing the window is not giving up: your choices stand and your seat waits.</p>
    <div class="form-end"><button type="button" class="btn" onClick=${onClose}>Stay</button><button type="button" class="btn btn-danger" onClick=${leave}>Give up</button></div>
  <//>`;
}

export function Dialogs() {
  const { ui, controls } = useTable();
  const close = () => controls.setUi({ dialog: null });
  if (ui.dialog === "help") return html`<${Keys} onClose=${close} />`;
  if (ui.dialog === "leave") return html`<${Leave} onClose=${close} />`;
  return null;
}
