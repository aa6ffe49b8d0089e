// The options of a duel, and their fields for the players before it.
import { html } from "preact";
import { NumberField } from "rr/board/number-field";
import { changesIn, Choice, OptionsPanel, Switch } from "rr/board/options";
import { wordsOf } from "rr/board/said";
import { lengthWords } from "rr/board/wording";
import { optionRows } from "rr/duel/words";

const LENGTHS = [1, 3, 5, 7, 9, 11, 15, 21, 99];
const { options: labels } = wordsOf("duel");
const CLOCKS = [10, 30, 60, 300, 3600, 86_400];

/** The changes of a draft; with a stake nothing is rated. */
export function changesOf(draft, options) {
  const { stake } = { ...options, ...draft };
  return changesIn(stake > 0 ? { ...draft, rated: false } : draft, options);
}

function Fields({ wanted, options, write }) {
  const set = (name) => (value) => write({ [name]: value });
  return html`<div class="form-grid">
      <${Choice} name="best_of" words=${labels.best_of} values=${LENGTHS} current=${options.best_of} value=${wanted.best_of} word=${String} onChange=${set("best_of")} />
      <${Choice} name="clock_seconds" words=${labels.clock_seconds} values=${CLOCKS} current=${options.clock_seconds} value=${wanted.clock_seconds} word=${lengthWords} onChange=${set("clock_seconds")} />
      <div class="field"><label for="option-stake">${labels.stake} <span class="muted">(points each)</span></label><${NumberField} id="option-stake" least=${0} most=${options.largest_stake} value=${wanted.stake} choose=${set("stake")} /></div>
    </div>
    <div class="form-grid">
      <${Switch} words=${labels.no_ties} value=${wanted.no_ties} onChange=${set("no_ties")} />
      <${Switch} words=${labels.rated} value=${wanted.rated && !wanted.stake} disabled=${wanted.stake > 0} onChange=${set("rated")} />
      ${"dossiers" in options && html`<${Switch} words=${labels.dossiers} value=${wanted.dossiers} onChange=${set("dossiers")} />`}
    </div>`;
}

const KIND = {
  rows: optionRows,
  Fields,
  changes: changesOf,
  summary: "Change settings",
  note: "After a change both press Ready again.",
  send: "Change for both",
};

export function DuelOptions() {
  return html`<${OptionsPanel} kind=${KIND} />`;
}
