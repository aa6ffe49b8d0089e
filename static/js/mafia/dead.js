// The ways on for the dead while the game runs: see its end in seconds, or play another one.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, useTable } from "rr/board/parts";
import { isRunning } from "rr/mafia/game";

export function WaysOfTheDead() {
  const { view, controls, config } = useTable();
  if (!isRunning(view) || !view.game.you || view.game.you.is_alive) return null;
  const mayEnd = view.you.may.includes("play_out");
  return html`${view.game.is_played_out && html`<p class="notice" role="status">Only bots live. The rest takes seconds.</p>`}
    <div class="actions">
      ${mayEnd && html`<${ActButton} kind="play_out" class="btn btn-brass" onPress=${() => controls.act("play_out")}><${Icon} name="eye" />See how it ends<//>`}
      <form method="post" action=${config.quick_url}>
        <input type="hidden" name="csrfmiddlewaretoken" value=${config.csrf} /><input type="hidden" name="setup" value=${view.match.game} /><input type="hidden" name="salt_hash" />
        <button type="submit" class=${mayEnd ? "btn" : "btn btn-brass"}><${Icon} name="rotate-ccw" />Play again, with bots</button>
      </form>
    </div>`;
}
