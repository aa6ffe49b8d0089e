// What is played, and its fields for whoever sits before the game.
import { html } from "preact";
import { changesIn, Choice, OptionsPanel, Switch } from "rr/board/options";
import { lengthWords } from "rr/mafia/words";

const LENGTHS = [60, 120, 300, 600, 1800, 3600, 21_600, 43_200, 86_400, 172_800, 604_800];
const SEATS = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];

/** The options as pairs of words. */
export function optionRows({ options }) {
  return [
    ["Seats", options.seats],
    ["A night or a day", lengthWords(options.phase_seconds)],
    ["A night ends", options.early_end ? "early when all are done" : "at its time"],
    ["Roles of the dead", options.reveal_on_death ? "shown" : "secret to the end"],
    ["Who may come", options.listed ? "anybody" : "by link only"],
    ["Onlookers", options.spectators ? "welcome" : "no"],
  ];
}

function Fields({ wanted, options, write }) {
  const set = (name) => (value) => write({ [name]: value });
  return html`<div class="form-grid">
      <${Choice} name="seats" words="Seats" values=${SEATS} current=${options.seats} value=${wanted.seats} word=${String} onChange=${set("seats")} />
      <${Choice} name="phase_seconds" words="A night or a day lasts" values=${LENGTHS} current=${options.phase_seconds} value=${wanted.phase_seconds} word=${lengthWords} onChange=${set("phase_seconds")} />
    </div>
    <div class="form-grid">
      <${Switch} words="A night ends early when all are done" value=${wanted.early_end} onChange=${set("early_end")} />
      <${Switch} words="Whoever dies shows the role" value=${wanted.reveal_on_death} onChange=${set("reveal_on_death")} />
    </div>`;
}

const KIND = {
  rows: optionRows,
  Fields,
  changes: changesIn,
  summary: "Change options",
  note: "After a change everybody has to press Ready again.",
  send: "Change for everybody",
};

export function TownOptions() {
  return html`<${OptionsPanel} kind=${KIND} />`;
}
