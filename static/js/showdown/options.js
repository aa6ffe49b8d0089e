// The options of a table in words, and their fields for the players before the game.
import { html } from "preact";
import { NumberField } from "rr/board/number-field";
import { OptionsPanel } from "rr/board/options";

/** The options one may change here: name, words, limits. The server has the last word. */
export const FIELDS = [
  { name: "seats", words: "Seats", least: 2, most: 4 },
  { name: "ante", words: "Ante", unit: "points", least: 1, most: 1000 },
  { name: "target", words: "Target", unit: "victory points", least: 3, most: 15 },
  { name: "largest_purse", words: "Largest purse", unit: "points", least: 1, most: 100_000 },
  { name: "betting_clock", words: "Betting clock", unit: "seconds", least: 5, most: 120 },
  { name: "round_clock", words: "Round clock", unit: "seconds", least: 5, most: 120 },
];

function optionRows({ options }) {
  return [
    ["Seats", options.seats],
    ["Ante", options.ante],
    ["Target", `${options.target} VP`],
    ["Largest purse", options.largest_purse],
    ["Betting clock", `${options.betting_clock} s`],
    ["Round clock", `${options.round_clock} s`],
    ["Tax on pots", `${options.tax_bp / 100} %`],
    ["Table", options.listed ? "listed" : "private, link only"],
  ];
}

/** Presets, as the page that opens a table has them. */
const PRESETS = [
  ["Quick one", { ante: 1, target: 3, betting_clock: 15, round_clock: 20, largest_purse: 50 }],
  ["The usual", { ante: 1, target: 5, betting_clock: 20, round_clock: 30, largest_purse: 100 }],
  ["High stakes", { ante: 20, target: 5, betting_clock: 30, round_clock: 30, largest_purse: 500 }],
  ["Long evening", { ante: 5, target: 9, betting_clock: 45, round_clock: 60, largest_purse: 200 }],
];

/** The changes of a draft: only whole numbers that differ from the current ones. */
export function changesOf(draft, options) {
  const kept = FIELDS.map(({ name }) => [name, Math.trunc(Number(draft[name]))]);
  return Object.fromEntries(kept.filter(([name, value]) => name in draft && Number.isFinite(value) && value !== options[name]));
}

function Field({ field, value, onChange }) {
  const { name, words, unit, least, most } = field;
  return html`<div class="field"><label for=${`option-${name}`}>${words} <span class="muted">(${unit ? `${unit}, ` : ""}${least} to ${most})</span></label>
    <${NumberField} id=${`option-${name}`} least=${least} most=${most} value=${value} choose=${onChange} /></div>`;
}

function Fields({ wanted, write }) {
  return html`<div class="cluster" role="group" aria-label="Presets">${PRESETS.map(([words, numbers]) => html`<button type="button" class="chip" onClick=${() => write(numbers)}>${words}</button>`)}</div>
    <div class="form-grid">${FIELDS.map((field) => html`<${Field} key=${field.name} field=${field} value=${wanted[field.name]} onChange=${(value) => write({ [field.name]: value })} />`)}</div>`;
}

const KIND = {
  rows: optionRows,
  Fields,
  changes: changesOf,
  summary: "Change settings",
  note: "After a change everyone presses Ready again. Purses are cut to the new limits.",
  send: "Change for everyone",
};

export function Options() {
  return html`<${OptionsPanel} kind=${KIND} />`;
}
