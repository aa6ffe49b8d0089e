// Night or day, its number, and the time left.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useLeft, useTable } from "rr/board/parts";
import { spanWords } from "rr/board/wording";

const SHORT = 10_000;

function Left({ dueAt }) {
  const left = useLeft(dueAt);
  if (left === null) return null;
  const until = new Date(dueAt);
  const isNear = left < 20 * 3_600_000;
  const clock = until.toLocaleString([], { ...(isNear ? {} : { weekday: "short", day: "numeric", month: "short" }), hour: "2-digit", minute: "2-digit" });
  return html`<p class="phase-clock" role="timer" aria-label="Time left"><b class=${left <= SHORT ? "num count-short" : "num"}>${spanWords(left)}</b><span>until <time datetime=${dueAt}>${clock}</time> at the latest</span></p>`;
}

/** stage: night | day | over | before; title: "Night 2"; note: what ends it. */
export function PhaseHead({ stage, title, note, dueAt }) {
  const { view } = useTable();
  const icon = { night: "moon", day: "sun" }[stage] ?? "users";
  return html`<section class=${`phase phase-${stage}`} aria-label="The phase">
    <${Icon} name=${icon} /><div class="phase-text"><h2>${title}</h2><p>${note}</p></div>
    ${view.match.stalled ? html`<p class="phase-clock"><span>The clock is stopped</span></p>` : dueAt && html`<${Left} dueAt=${dueAt} />`}
  </section>`;
}
