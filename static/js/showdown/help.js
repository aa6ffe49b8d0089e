// Dialogs over the table: the keys, and the question before one leaves; and the rules in short.
import { html, useState } from "preact";
import { Icon } from "rr/icon";
import { Keys } from "rr/board/help";
import { Dialog, useTable } from "rr/board/parts";
import { WeaponFace } from "rr/showdown/cards";
import { ALL, WEAPONS, recipe, title } from "rr/showdown/lore";

const KEYS = [
  ["C", "call or check"],
  ["R", "raise by the amount shown"],
  ["F", "fold"],
  ["1 – 9", "attack with a weapon: 1 rock, 2 paper, 3 scissors, then the combined ones"],
  ["Left, Right", "other opponent"],
  ["Shift + 1–3", "pick a weapon to combine (or M, then 1–3)"],
  ["Enter", "make the combination and throw it, else lock in"],
  ["L", "lock in or unlock"],
  ["A", "throw the last weapon at all opponents"],
  ["S", "throw the same as in the last round"],
  ["X", "take all attacks of this round back"],
  ["T", "hear pot, call, purse and time left (screen readers)"],
  ["Esc", "close what lies over the table"],
];

function Leave({ onClose }) {
  const { controls } = useTable();
  const leave = () => {
    controls.act("leave");
    onClose();
  };
  return html`<${Dialog} title="Give up this game?" onClose=${onClose}>
    <p>Your stake stays in the pot and you are out of this game. With two players left, the other one wins at once. Closing the window does not give up: your choices stand.</p>
    <div class="form-end"><button type="button" class="btn" onClick=${onClose}>Stay</button><button type="button" class="btn btn-danger" onClick=${leave}>Give up</button></div>
  <//>`;
}

export function Dialogs() {
  const { ui, controls } = useTable();
  const close = () => controls.setUi({ dialog: null });
  if (ui.dialog === "help") return html`<${Keys} keys=${KEYS} onClose=${close} />`;
  if (ui.dialog === "leave") return html`<${Leave} onClose=${close} />`;
  return null;
}

const RESULTS = { W: "wins", L: "loses", D: "draws", T: "wins and takes it", S: "loses and is taken" };

/** One weapon against all others, the viewer's choice. */
function OneWeapon({ rows }) {
  const [weapon, choose] = useState(ALL[0]);
  const against = (result) => ALL.filter((_, place) => rows[ALL.indexOf(weapon)][place] === result);
  const lines = [["W", "Beats"], ["T", "Beats and takes"], ["L", "Loses to"], ["S", "Loses to, and is taken by"], ["D", "Draws with"]];
  const button = (name) => html`<button key=${name} type="button" class="btn btn-icon" aria-pressed=${name === weapon} aria-label=${title(name)} onClick=${() => choose(name)}><${Icon} name=${name} /></button>`;
  return html`<div class="weapon-picker" role="group" aria-label="Weapon">${ALL.map(button)}</div>
    <div class="weapon-shown" aria-live="polite"><span class=${`card card-${WEAPONS[weapon].material}`}><${WeaponFace} weapon=${weapon} note=${recipe(weapon) || "dealt"} /></span>
      <dl>${lines.map(([result, word]) => against(result).length > 0 && html`<div key=${result} class=${`is-${result}`}><dt>${word}</dt><dd>${against(result).map((name) => html`<span class="weapon-name"><${Icon} name=${name} />${title(name)}</span>`)}</dd></div>`)}</dl></div>`;
}

/** All weapons compared, as the rules have it; the row's view. */
function Matrix({ rows }) {
  const head = (weapon) => html`<span title=${title(weapon)}><${Icon} name=${weapon ?? "fist"} /><span class="sr">${title(weapon)}</span></span>`;
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="All weapons compared"><table class="matrix">
    <thead><tr><td></td>${[...ALL, null].map((column) => html`<th scope="col">${head(column)}</th>`)}</tr></thead>
    <tbody>${ALL.map((row, place) => html`<tr><th scope="row">${head(row)}</th>${[...rows[place]].map((result) => html`<td class=${`is-${result}`}><abbr title=${RESULTS[result]}>${result}</abbr></td>`)}</tr>`)}</tbody>
  </table></div>
  <p class="small muted">Read a row: <b>W</b> wins, <b>L</b> loses, <b>D</b> draws, <b>T</b> wins and takes the weapon, <b>S</b> loses and is taken.</p>`;
}

export function ShortRules() {
  const { config } = useTable();
  return html`<div class="feed prose small" tabindex="0" role="region" aria-label="Short rules">
    <p>Every pair fights once a round. Win more battles than anyone else: <b>2 VP</b>. Tie for the most, but not with everyone: <b>1 each</b>. All level: a <b>landmine</b> goes off under one of you, who scores nothing; the others score 1.</p>
    <p>Rock beats scissors, scissors beat paper, paper beats rock, and a weapon fights as its material. Two of a kind also beat the basic weapon of their own material. A mixed weapon <b>takes</b> the basic weapon it beats. Any weapon beats bare hands.</p>
    <${OneWeapon} rows=${config.matrix} />
    <details><summary>All weapons compared</summary><${Matrix} rows=${config.matrix} /></details>
    <p><a href=${config.rules_url} target="_blank" rel="noopener">Full rules, weapons and commands</a></p>
  </div>`;
}
