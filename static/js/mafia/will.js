// The last will: written while one lives, posted in the town when one dies.
import { html, useEffect, useState } from "preact";
import { ActButton, useTable } from "rr/board/parts";
import { isRunning } from "rr/mafia/game";
import { read } from "rr/mafia/posts";

const LONGEST = 1000; // characters

/** Whether the viewer may write a will now. */
export function mayWriteWill(view) {
  return isRunning(view) && view.match.options.last_wills && Boolean(view.game.you?.is_alive) && !view.game.you.is_leaving;
}

export function Will() {
  const { controls, config, ui } = useTable();
  const [kept, keep] = useState(null);
  const text = ui.will ?? kept ?? "";
  useEffect(() => {
    // Another window may have written it meanwhile.
    read(config.will_url, "").then(({ text: found }) => {
      keep(found);
      if (controls.ui.will?.trim() === found) controls.setUi({ will: undefined });
    }).catch(() => keep(""));
  }, [ui.willKept]);
  const isChanged = ui.will !== undefined && ui.will.trim() !== kept;
  const words = isChanged ? "Not kept yet." : kept ? "Kept. Only you see it until you die." : "You have no will. Nobody sees who has one.";
  return html`<div class="notes">
    <label for="will"><b>Your last will</b><small class="muted" role="status">${words} It is posted in the town when you die.</small></label>
    <textarea id="will" dir="auto" value=${text} maxlength=${LONGEST} disabled=${kept === null} onInput=${(event) => controls.setUi({ will: event.target.value })} placeholder="What should they know when you are gone?"></textarea>
    <div class="writer-end"><span class="small muted num">${[...text].length} of ${LONGEST}</span><${ActButton} kind="write_will" class="btn btn-brass" disabled=${!isChanged} onPress=${() => controls.act("write_will", { text })}>Keep<//></div>
  </div>`;
}
