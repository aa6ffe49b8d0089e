// What is played for, and its editor for whoever sits before the game.
import { html, useState } from "preact";
import { ActButton, useTable } from "rr/board/parts";

/** The options one may change here: name, words, limits. The server has the last word. */
export const FIELDS = [
  { name: "seats", words: "Seats", least: 2, most: 4 },
  { name: "ante", words: "Ante", unit: "points", least: 1, most: 1000 },
  { name: "target", words: "Target", unit: "victory points", least: 3, most: 15 },
  { name: "largest_purse", words: "Largest purse", unit: "points", least: 1, most: 100_000 },
  { name: "betting_clock", words: "Betting clock", unit: "seconds", least: 5, most: 120 },
  { name: "round_clock", words: "Round clock", unit: "seconds", least: 5, most: 120 },
];

function optionRows({ match }) {
  const { options } = match;
  return [
    ["Seats", options.seats],
    ["Ante", options.ante],
    ["Target", `${options.target} VP`],
    ["Largest purse", options.largest_purse],
    ["Betting clock", `${options.betting_clock} s`],
    ["Round clock", `${options.round_clock} s`],
    ["Tax on pots", `${options.tax_bp / 100} %`],
    ["Table", options.listed ? "listed" : "by link only"],
  ];
}

/** What a draft changes: only whole numbers that differ from what holds now. */
export function changesOf(draft, options) {
  const kept = FIELDS.map(({ name }) => [name, Math.trunc(Number(draft[name]))]);
  return Object.fromEntries(kept.filter(([name, value]) => name in draft && Number.isFinite(value) && value !== options[name]));
}

function NumberField({ field, value, onChange }) {
  const { name, words, unit, least, most } = field;
  return html`<div class="field"><label for=${`option-${name}`}>${words}${unit && html` <span class="muted">(${unit})</span>`}</label>
    <input id=${`option-${name}`} type="number" inputmode="numeric" required min=${least} max=${most} step="1" value=${value} onInput=${(event) => onChange(event.target.value)} /></div>`;
}

function Editor() {
  const { view, controls } = useTable();
  const { options } = view.match;
  const [draft, write] = useState({});
  const changes = changesOf(draft, options);
  const isChanged = Object.keys(changes).length > 0;
  const send = (form) => isChanged && form.reportValidity() && controls.act("configure", changes);
  const submit = (event) => {
    event.preventDefault();
    send(event.currentTarget);
  };
  return html`<form class="options-form" onSubmit=${submit}>
    <div class="form-grid">${FIELDS.map((field) => html`<${NumberField} key=${field.name} field=${field} value=${draft[field.name] ?? options[field.name]} onChange=${(value) => write({ ...draft, [field.name]: value })} />`)}</div>
    <p class="small muted">After a change everybody has to press Ready again; purses are fitted to the new limits.</p>
    <div class="form-end">
      <button type="button" class="btn" disabled=${!isChanged} onClick=${() => write({})}>Put back</button>
      <${ActButton} kind="configure" class="btn btn-brass" disabled=${!isChanged} onPress=${() => send(document.querySelector(".options-form"))}>Change for everybody<//>
    </div>
  </form>`;
}

export function Options() {
  const { view } = useTable();
  const mayChange = view.you.may.includes("configure");
  return html`<dl class="options">${optionRows(view).map(([word, value]) => html`<div key=${word}><dt>${word}</dt><dd class="num">${value}</dd></div>`)}</dl>
    ${mayChange && html`<details class="fold"><summary>Change options</summary><${Editor} key=${view.match.options_revision} /></details>`}`;
}
