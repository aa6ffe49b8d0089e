// The dialog of a town: its keys.
import { html } from "preact";
import { Keys } from "rr/board/help";
import { useTable } from "rr/board/parts";

/** walk: describes a press on a player. */
export function TownDialogs({ walk }) {
  const { ui, controls } = useTable();
  if (ui.dialog !== "help") return null;
  const keys = [
    ["D", "done for this phase, or undo it"],
    ["W", "write a post"],
    ["U", "go to the first unread post"],
    ["T", "hear the phase and the time left (screen readers)"],
    ["Ctrl+Enter", "post what you have written"],
    ["Tab, Enter", walk],
    ["Esc", "close what lies open"],
  ];
  return html`<${Keys} keys=${keys} onClose=${() => controls.setUi({ dialog: null })} />`;
}
