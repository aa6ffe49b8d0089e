// What is played, and its fields for whoever sits before the game.
import { html } from "preact";
import { changesIn, Choice, Switch } from "rr/board/options";
import { useTable } from "rr/board/parts";
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

function range(least, most) {
  return Array.from({ length: most - least + 1 }, (_, place) => least + place);
}

/** The fields of every town, and the switches of one game: [[name, words]]. */
function fieldsWith(switches) {
  return ({ wanted, options, write }) => {
    const { config } = useTable();
    const set = (name) => (value) => write({ [name]: value });
    return html`<div class="form-grid">
      <${Choice} name="seats" words="Seats" values=${range(...config.players)} current=${options.seats} value=${wanted.seats} word=${String} onChange=${set("seats")} />
      <${Choice} name="phase_seconds" words="A night or a day lasts" values=${LENGTHS} current=${options.phase_seconds} value=${wanted.phase_seconds} word=${lengthWords} onChange=${set("phase_seconds")} />
    </div>
    ${switches.length > 0 && html`<div class="form-grid">${switches.map(([name, words]) => html`<${Switch} key=${name} words=${words} value=${wanted[name]} onChange=${set(name)} />`)}</div>`}`;
  };
}

/** What a game's options are, made of its own: {rows(options), switches: [[name, words]]}. */
export function townOptions({ rows, switches }) {
  return {
    rows: (match) => optionRows(match, rows),
    Fields: fieldsWith(switches),
    changes: changesIn,
    summary: "Change options",
    note: "After a change everybody has to press Ready again.",
    send: "Change for everybody",
  };
}
