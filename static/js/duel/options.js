// What a duel is about, and its editor for whoever sits before it.
import { html, useState } from "preact";
import { ActButton, useTable } from "rr/board/parts";
import { clockWords, optionRows } from "rr/duel/words";

const LENGTHS = [1, 3, 5, 7, 9, 11, 15, 21];
const CLOCKS = [10, 30, 60, 300, 3600, 86_400];

/** What of a draft differs from what holds: only that is sent. */
export function changesIn(draft, options) {
  return Object.fromEntries(Object.entries(draft).filter(([name, value]) => value !== options[name]));
}

function withCurrent(choices, current) {
  return choices.includes(current) ? choices : [...choices, current].sort((one, other) => one - other);
}

function Choice({ name, words, values, value, word, onChange }) {
  return html`<div class="field"><label for=${`option-${name}`}>${words}</label>
    <select id=${`option-${name}`} value=${value} onChange=${(event) => onChange(Number(event.target.value))}>${values.map((one) => html`<option key=${one} value=${one}>${word(one)}</option>`)}</select></div>`;
}

function Switch({ words, value, onChange, disabled }) {
  return html`<div class="field"><label class="check"><input type="checkbox" checked=${value} disabled=${disabled} onChange=${(event) => onChange(event.target.checked)} /><span>${words}</span></label></div>`;
}

function Fields({ wanted, options, write }) {
  const set = (name) => (value) => write(name, value);
  return html`<div class="form-grid">
      <${Choice} name="best_of" words="Best of" values=${withCurrent(LENGTHS, options.best_of)} value=${wanted.best_of} word=${String} onChange=${set("best_of")} />
      <${Choice} name="clock_seconds" words="Clock a throw" values=${withCurrent(CLOCKS, options.clock_seconds)} value=${wanted.clock_seconds} word=${clockWords} onChange=${set("clock_seconds")} />
      <div class="field"><label for="option-stake">Stake <span class="muted">(points each)</span></label><input id="option-stake" type="number" inputmode="numeric" required min="0" max=${options.largest_stake} step="1" value=${wanted.stake} onInput=${(event) => write("stake", Math.trunc(Number(event.target.value)))} /></div>
    </div>
    <div class="form-grid">
      <${Switch} words="Throw again on a tie" value=${wanted.no_ties} onChange=${set("no_ties")} />
      <${Switch} words="Rated (without a stake only)" value=${wanted.rated && !wanted.stake} disabled=${wanted.stake > 0} onChange=${set("rated")} />
    </div>`;
}

function Editor() {
  const { view, controls } = useTable();
  const { options } = view.match;
  const [draft, redraft] = useState({});
  const wanted = { ...options, ...draft };
  const fitting = wanted.stake > 0 ? { ...draft, rated: false } : draft; // with a stake nothing is rated
  const changes = changesIn(fitting, options);
  const isChanged = Object.keys(changes).length > 0;
  const send = (form) => isChanged && form.reportValidity() && controls.act("configure", changes);
  const submit = (event) => {
    event.preventDefault();
    send(event.currentTarget);
  };
  return html`<form class="options-form" onSubmit=${submit}>
    <${Fields} wanted=${wanted} options=${options} write=${(name, value) => redraft({ ...draft, [name]: value })} />
    <p class="small muted">A change makes both players unready: each has to press Ready again.</p>
    <div class="form-end">
      <button type="button" class="btn" disabled=${!isChanged} onClick=${() => redraft({})}>Put back</button>
      <${ActButton} kind="configure" class="btn btn-brass" disabled=${!isChanged} onPress=${() => send(document.querySelector(".options-form"))}>Change for both<//>
    </div>
  </form>`;
}

export function DuelOptions() {
  const { view } = useTable();
  const mayChange = view.you.may.includes("configure");
  return html`<dl class="options">${optionRows(view.match).map(([word, value]) => html`<div key=${word}><dt>${word}</dt><dd>${value}</dd></div>`)}</dl>
    ${mayChange && html`<details class="fold"><summary>Change the configuration</summary><${Editor} key=${view.match.options_revision} /></details>`}`;
}
