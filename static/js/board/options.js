// The options in words, and their editor for the players before the game.
import { html, useEffect, useRef, useState } from "preact";
import { ActButton, useTable } from "rr/board/parts";

/** The changes of a draft: only they are sent. */
export function changesIn(draft, options) {
  return Object.fromEntries(Object.entries(draft).filter(([name, value]) => value !== options[name]));
}

function withCurrent(choices, current) {
  return choices.includes(current) ? choices : [...choices, current].sort((one, other) => one - other);
}

/** One of some numbers, and the one that holds now. */
export function Choice({ name, words, values, current, value, word, onChange }) {
  return html`<div class="field"><label for=${`option-${name}`}>${words}</label>
    <select id=${`option-${name}`} value=${value} onChange=${(event) => onChange(Number(event.target.value))}>${withCurrent(values, current).map((one) => html`<option key=${one} value=${one}>${word(one)}</option>`)}</select></div>`;
}

export function Switch({ words, value, onChange, disabled }) {
  return html`<div class="field"><label class="check"><input type="checkbox" checked=${value} disabled=${disabled} onChange=${(event) => onChange(event.target.checked)} /><span>${words}</span></label></div>`;
}

function Editor({ kind }) {
  const { view, controls } = useTable();
  const { options } = view.match;
  const [draft, redraft] = useState({});
  const form = useRef(null);
  // Changes by others are drawn; the draft stays, without the entries that hold by now.
  useEffect(() => redraft((kept) => changesIn(kept, options)), [view.match.options_revision]);
  const changes = kind.changes(draft, options);
  const isChanged = Object.keys(changes).length > 0;
  const send = () => isChanged && form.current.reportValidity() && controls.act("configure", changes);
  const submit = (event) => {
    event.preventDefault();
    send();
  };
  return html`<form class="options-form" ref=${form} onSubmit=${submit}>
    <${kind.Fields} wanted=${{ ...options, ...draft }} options=${options} write=${(some) => redraft({ ...draft, ...some })} />
    <p class="small muted">${kind.note}</p>
    <div class="form-end">
      <button type="button" class="btn" disabled=${!isChanged} onClick=${() => redraft({})}>Reset</button>
      <${ActButton} kind="configure" class="btn btn-brass" disabled=${!isChanged} onPress=${send}>${kind.send}<//>
    </div>
  </form>`;
}

/** The row that says how long clocks are where one person plays bots; none elsewhere. Pure. */
export function clockRow({ match: { options }, seats }) {
  const players = seats.map(({ player }) => player).filter(Boolean);
  const isAlone = players.length > 1 && players.filter(({ bot }) => !bot).length === 1;
  return isAlone && options.clock_times > 1 ? [["Against bots", `clocks ${options.clock_times} times as long`]] : [];
}

/**
 * The options and their editor, which keeps what is being chosen when somebody changes others.
 * `kind`: `rows(match)` as pairs of words, `Fields({ wanted, options, write })`, `changes(draft,
 * options)`, and the words `summary`, `note` and `send`.
 */
export function OptionsPanel({ kind }) {
  const { view } = useTable();
  return html`<dl class="options">${[...kind.rows(view.match), ...clockRow(view)].map(([word, value]) => html`<div key=${word}><dt>${word}</dt><dd>${value}</dd></div>`)}</dl>
    ${view.you.may.includes("configure") && html`<details class="fold"><summary>${kind.summary}</summary><${Editor} key=${view.match.public_id} kind=${kind} /></details>`}`;
}
