// Night or day, its number, the time left, and the town under its sky.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useLeft, useTable } from "rr/board/parts";
import { spanWords } from "rr/board/wording";
import { clockWords, earliestIn } from "rr/mafia/game";
import { Skyline } from "rr/mafia/sky";

const SHORT = 10_000;

/** endsEarly: whether a night may end before its time. */
function Left({ dueAt, endsEarly }) {
  const { view } = useTable();
  const left = useLeft(dueAt);
  if (left === null) return null;
  const earliest = endsEarly ? earliestIn(left, view.match.options.phase_seconds * 1000) : null;
  const until = html`until <time datetime=${dueAt}>${clockWords(dueAt, left)}</time>`;
  return html`<p class="phase-clock" role="timer" aria-label="Time left"><b class=${left <= SHORT ? "num count-short" : "num"}>${spanWords(left)}</b><span>${earliest === null ? until : `dawn in ${spanWords(earliest)} at the earliest`}</span></p>`;
}

/** stage: night | day | before; title: "Night 2"; note: what ends it; mark: as of the Skyline. */
export function PhaseHead({ stage, title, note, dueAt, endsEarly, mark }) {
  const { view } = useTable();
  const icon = { night: "moon", day: "sun" }[stage] ?? "users";
  return html`<section class=${`phase phase-${stage}`} aria-label="The phase">
    <${Icon} name=${icon} /><div class="phase-text"><h2>${title}</h2><p>${note}</p></div>
    ${view.match.stalled ? html`<p class="phase-clock"><span>The clock is stopped</span></p>` : dueAt && html`<${Left} dueAt=${dueAt} endsEarly=${stage === "night" && endsEarly} />`}
    ${view.game && html`<${Skyline} mark=${mark} />`}
  </section>`;
}
