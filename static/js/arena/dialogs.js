// The dialogs of the arena: the keys, the question before a reset, and the actions for a name.
import { html, useState } from "preact";
import { Icon } from "rr/icon";
import { Keys } from "rr/board/help";
import { Dialog, useTable } from "rr/board/parts";
import { refusal } from "rr/board/wording";
import { post } from "rr/own-page";

const KEYS = [
  ["R", "rock"],
  ["P", "paper"],
  ["S", "scissors"],
  ["N or space", "nothing: take the choice back"],
  ["Esc", "close what lies open"],
];

function Reset({ onClose }) {
  const { view, controls } = useTable();
  const reset = () => {
    controls.act("reset");
    onClose();
  };
  return html`<${Dialog} title="Reset all to 0?" onClose=${onClose}>
    <p>Your score of <b class="num">${view.you.score}</b>, your streak, your best streak and everything you have won, lost and tied go back to 0. It cannot be undone.</p>
    <p class="small muted">It happens when the round in progress is over, so that nobody escapes a loss that was coming.</p>
    <div class="form-end"><button type="button" class="btn" onClick=${onClose}>Keep them</button><button type="button" class="btn btn-danger" onClick=${reset}>Reset all to 0</button></div>
  <//>`;
}

/** Send a report; returns why it failed, or "". */
async function sendReport(config, name, reason) {
  try {
    const answer = await post(config.report_url, { body: new URLSearchParams({ name, reason }) }, config.csrf);
    return answer.ok ? "" : refusal(await answer.json());
  } catch {
    return refusal({});
  }
}

function Report({ name }) {
  const { config, controls } = useTable();
  const [reason, write] = useState("");
  const [said, say] = useState("");
  const send = async (event) => {
    event.preventDefault();
    say("Sending…");
    const problem = await sendReport(config, name, reason);
    if (problem) return say(problem);
    controls.close();
    return controls.toast(`The house will look at ${name}. Thank you.`, "good");
  };
  return html`<details class="fold"><summary>Report this name</summary>
    <form class="options-form" onSubmit=${send}>
      <div class="field"><label for="report-reason">What is wrong?</label><textarea id="report-reason" dir="auto" rows="3" maxlength="500" required value=${reason} onInput=${(event) => write(event.target.value)} /></div>
      <div class="form-end"><span class="small muted" role="status">${said}</span><button class="btn btn-danger" type="submit">Report</button></div>
    </form></details>`;
}

function About({ name, onClose }) {
  const { config, controls } = useTable();
  const block = () => {
    controls.block(name, true);
    onClose();
  };
  return html`<${Dialog} title=${name} onClose=${onClose}>
    <div class="cluster"><a class="btn" href=${config.profile_url.replace("NAME", encodeURIComponent(name))}><${Icon} name="user" />Profile</a>
      <button type="button" class="btn" onClick=${block}><${Icon} name="ban" />Block</button></div>
    <p class="small muted">A blocked name is no longer shown to you in this browser. It still fights.</p>
    ${config.name && html`<${Report} name=${name} />`}
  <//>`;
}

function Blocked({ onClose }) {
  const { state, controls } = useTable();
  return html`<${Dialog} title="Blocked names" onClose=${onClose}>
    ${state.blocked.length ? html`<ul class="blocked-list">${state.blocked.map((name) => html`<li key=${name}><span>${name}</span><button type="button" class="btn" onClick=${() => controls.block(name, false)}>Show again</button></li>`)}</ul>` : html`<p>None.</p>`}
  <//>`;
}

export function ArenaDialogs() {
  const { ui, controls } = useTable();
  const onClose = () => controls.close();
  if (ui.dialog === "help") return html`<${Keys} keys=${KEYS} onClose=${onClose} />`;
  if (ui.dialog === "reset") return html`<${Reset} onClose=${onClose} />`;
  if (ui.dialog === "name") return html`<${About} name=${ui.name} onClose=${onClose} />`;
  if (ui.dialog === "blocked") return html`<${Blocked} onClose=${onClose} />`;
  return null;
}
