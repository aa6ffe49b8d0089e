// The appointed start of a table, in the viewer's time.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useLeft, useTable } from "rr/board/parts";
import { spanWords } from "rr/board/wording";

/** "Tuesday 25 November, 20:00". */
export function appointedWords(at) {
  return new Date(at).toLocaleString([], { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
}

export function Appointment() {
  const { view, config } = useTable();
  const left = useLeft(view.begins_at);
  if (!view.begins_at) return null;
  return html`<p class="notice appointment"><${Icon} name="clock" /><span><b>Begins <time datetime=${view.begins_at}>${appointedWords(view.begins_at)}</time></b>${left === null ? "" : ` (your time), in ${spanWords(left)}`}. Your seat is kept until then; who is not ready then loses it. If fewer than ${config.players[0]} are ready the table stays open, and begins when enough are.</span></p>`;
}
