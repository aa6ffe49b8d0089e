// Dialogs over the table: the keys, and the question before one leaves; and the rules in short.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Keys } from "rr/board/help";
import { Dialog, useTable } from "rr/board/parts";
import { ALL, WEAPONS, recipe, title } from "rr/showdown/lore";

const KEYS = [
  ["C", "call or check"],
  ["R", "raise by the amount shown"],
  ["F", "fold"],
  ["1 – 9", "attack with a weapon: 1 rock, 2 paper, 3 scissors, then the combined ones"],
  ["Left, Right", "other opponent"],
  ["Shift + 1–3", "pick a weapon to combine (or M, then 1–3)"],
  ["Enter", "make the combination, else lock in"],
  ["L", "lock in or unlock"],
  ["S", "throw the same as in the last round"],
  ["X", "take all attacks of this round back"],
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

/** All weapons compared, as the rules have it; the row's view. */
function Matrix({ rows }) {
  const columns = [...ALL, null];
  const short = (weapon) => (weapon ? html`<abbr title=${title(weapon)}>${WEAPONS[weapon].letter}</abbr>` : html`<abbr title=${title(null)}>–</abbr>`);
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="All weapons compared"><table class="matrix">
    <thead><tr><td></td>${columns.map((column) => html`<th scope="col">${short(column)}</th>`)}</tr></thead>
    <tbody>${ALL.map((row, place) => html`<tr><th scope="row">${short(row)}</th>${columns.map((_, at) => html`<td class=${`is-${rows[place][at]}`}><abbr title=${RESULTS[rows[place][at]]}>${rows[place][at]}</abbr></td>`)}</tr>`)}</tbody>
  </table></div>
  <p class="small muted">Read a row: <b>W</b> wins, <b>L</b> loses, <b>D</b> draws, <b>T</b> wins and takes the weapon, <b>S</b> loses and is taken.</p>`;
}

export function ShortRules() {
  const { config } = useTable();
  return html`<div class="feed prose small" tabindex="0" role="region" aria-label="Short rules">
    <p>Every pair fights once a round. Win more battles than anyone else: <b>2 VP</b>. Tie for the most, but not with everyone: <b>1 each</b>. All level: a <b>landmine</b> goes off under one of you, who scores nothing; the others score 1.</p>
    <p>Rock beats scissors, scissors beat paper, paper beats rock, and a weapon fights as its material. Two of a kind also beat the basic weapon of their own material. A mixed weapon <b>takes</b> the basic weapon it beats.</p>
    <${Matrix} rows=${config.matrix} />
    <table class="rows rows-tight"><thead><tr><th scope="col">Weapon</th><th scope="col">From</th><th scope="col">Fights as</th></tr></thead><tbody>
      ${ALL.map((weapon) => html`<tr><th scope="row"><span class="weapon-name"><${Icon} name=${weapon} />${WEAPONS[weapon].title}</span></th><td class="num">${recipe(weapon) || "dealt"}</td><td>${WEAPONS[weapon].material}</td></tr>`)}
    </tbody></table>
    <p><a href=${config.rules_url} target="_blank" rel="noopener">Full rules, weapons and commands</a></p>
  </div>`;
}
