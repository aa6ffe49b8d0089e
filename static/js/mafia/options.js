// The options of a town in words, and their fields for the players before the game.
import { html } from "preact";
import { changesIn, Choice, OptionsPanel, Switch } from "rr/board/options";
import { useTable } from "rr/board/parts";
import { LABELS } from "rr/mafia/game";
import { lengthWords } from "rr/board/wording";

const LENGTHS = [60, 120, 300, 600, 1800, 3600, 21_600, 43_200, 86_400, 172_800, 604_800];

/** The options as pairs of words; own: those of the game, between the common ones. */
export function optionRows({ options }, own) {
  return [
    [LABELS.seats, options.seats],
    [LABELS.phase_seconds, lengthWords(options.phase_seconds)],
    ...own(options),
    ...(options.last_wills ? [["Last wills", "posted at death"]] : []),
    ["Who may join", options.listed ? "anyone" : "private, link only"],
    ["Spectators", options.spectators ? "allowed" : "not allowed"],
  ];
}

function range(least, most) {
  return Array.from({ length: most - least + 1 }, (_, place) => least + place);
}

function Fields({ wanted, options, write, switches }) {
  const { config } = useTable();
  const set = (name) => (value) => write({ [name]: value });
  return html`<div class="form-grid">
      <${Choice} name="seats" words=${LABELS.seats} values=${range(...config.players)} current=${options.seats} value=${wanted.seats} word=${String} onChange=${set("seats")} />
      <${Choice} name="phase_seconds" words=${LABELS.phase_seconds} values=${LENGTHS} current=${options.phase_seconds} value=${wanted.phase_seconds} word=${lengthWords} onChange=${set("phase_seconds")} />
    </div>
    ${switches.length > 0 && html`<div class="form-grid">${switches.map(([name, words]) => html`<${Switch} key=${name} words=${words} value=${wanted[name]} onChange=${set(name)} />`)}</div>`}`;
}

/** The panel of a game's options; fields: {rows(options) as pairs of words, switches: [[name, words]]}. */
export function optionsOf(fields) {
  const kind = {
    rows: (match) => optionRows(match, fields.rows),
    Fields: (given) => html`<${Fields} ...${given} switches=${[...fields.switches, ["last_wills", LABELS.last_wills]]} />`,
    changes: changesIn,
    summary: "Change settings",
    note: "After a change everybody has to press Ready again.",
    send: "Change for everybody",
  };
  return () => html`<${OptionsPanel} kind=${kind} />`;
}
