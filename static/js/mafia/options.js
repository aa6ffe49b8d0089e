// What is played, and its editor for whoever sits before the game.
import { html, useState } from "preact";
import { ActButton, useTable } from "rr/board/parts";
import { lengthWords } from "rr/mafia/words";

const LENGTHS = [60, 120, 300, 600, 1800, 3600, 21_600, 43_200, 86_400, 172_800, 604_800];

/** The options as pairs of words; own: those of the game, between the common ones. */
export function optionRows({ options }, own) {
  return [
    ["Seats", options.seats],
    ["A night or a day", lengthWords(options.phase_seconds)],
    ...own(options),
    ["Who may come", options.listed ? "anybody" : "by link only"],
    ["Onlookers", options.spectators ? "welcome" : "no"],
  ];
}

/** What of a draft differs from what holds: only that is sent. */
export function changesIn(draft, options) {
  return Object.fromEntries(Object.entries(draft).filter(([name, value]) => value !== options[name]));
}

function withCurrent(choices, current) {
  return choices.includes(current) ? choices : [...choices, current].sort((one, other) => one - other);
}

function range(least, most) {
  return Array.from({ length: most - least + 1 }, (_, place) => least + place);
}

function Choice({ name, words, values, value, word, onChange }) {
  return html`<div class="field"><label for=${`option-${name}`}>${words}</label>
    <select id=${`option-${name}`} value=${value} onChange=${(event) => onChange(Number(event.target.value))}>${values.map((one) => html`<option key=${one} value=${one}>${word(one)}</option>`)}</select></div>`;
}

function Switch({ words, value, onChange }) {
  return html`<div class="field"><label class="check"><input type="checkbox" checked=${value} onChange=${(event) => onChange(event.target.checked)} /><span>${words}</span></label></div>`;
}

function Editor({ fields }) {
  const { view, controls, config } = useTable();
  const { options } = view.match;
  const [draft, redraft] = useState({});
  const wanted = { ...options, ...draft };
  const changes = changesIn(draft, options);
  const isChanged = Object.keys(changes).length > 0;
  const set = (name) => (value) => redraft({ ...draft, [name]: value });
  return html`<form class="options-form" onSubmit=${(event) => event.preventDefault()}>
    <div class="form-grid">
      <${Choice} name="seats" words="Seats" values=${withCurrent(range(...config.players), options.seats)} value=${wanted.seats} word=${String} onChange=${set("seats")} />
      <${Choice} name="phase_seconds" words="A night or a day lasts" values=${withCurrent(LENGTHS, options.phase_seconds)} value=${wanted.phase_seconds} word=${lengthWords} onChange=${set("phase_seconds")} />
    </div>
    ${fields.switches.length > 0 && html`<div class="form-grid">${fields.switches.map(([name, words]) => html`<${Switch} key=${name} words=${words} value=${wanted[name]} onChange=${set(name)} />`)}</div>`}
    <p class="small muted">After a change everybody has to press Ready again.</p>
    <div class="form-end">
      <button type="button" class="btn" disabled=${!isChanged} onClick=${() => redraft({})}>Put back</button>
      <${ActButton} kind="configure" class="btn btn-brass" disabled=${!isChanged} onPress=${() => controls.act("configure", changes)}>Change for everybody<//>
    </div>
  </form>`;
}

/** fields: {rows(options), switches: [[name, words]]}. */
export function TownOptions({ fields }) {
  const { view } = useTable();
  return html`<dl class="options">${optionRows(view.match, fields.rows).map(([word, value]) => html`<div key=${word}><dt>${word}</dt><dd>${value}</dd></div>`)}</dl>
    ${view.you.may.includes("configure") && html`<details class="fold"><summary>Change options</summary><${Editor} key=${view.match.options_revision} fields=${fields} /></details>`}`;
}
