// Questions over the board of a duel, and its rules in short.
import { html } from "preact";
import { Keys } from "rr/board/help";
import { Dialog, useTable } from "rr/board/parts";
import { moneyOf } from "rr/duel/game";

const KEYS = [
  ["R, P, S", "throw rock, paper or scissors"],
  ["R, P, S again", "in a long duel: choose the next throw; Esc drops it"],
  ["T", "hear the score and the time left (screen readers)"],
  ["Esc", "close what lies open"],
];

function Resign({ onClose }) {
  const { view, controls } = useTable();
  const { stake } = moneyOf(view.match.options);
  const resign = () => {
    controls.act("resign");
    onClose();
  };
  return html`<${Dialog} title="Resign this duel?" onClose=${onClose}>
    <p>The duel is over at once and your opponent wins it${stake ? html`, with your stake of <b class="num">${stake}</b>` : ""}. Closing the window does not resign, but the clock keeps running.</p>
    <div class="form-end"><button type="button" class="btn" onClick=${onClose}>Play on</button><button type="button" class="btn btn-danger" onClick=${resign}>Resign</button></div>
  <//>`;
}

export function DuelDialogs() {
  const { ui, controls } = useTable();
  const close = () => controls.setUi({ dialog: null });
  if (ui.dialog === "help") return html`<${Keys} keys=${KEYS} onClose=${close} />`;
  if (ui.dialog === "resign") return html`<${Resign} onClose=${close} />`;
  return null;
}

export function ShortDuelRules() {
  const { view, config } = useTable();
  const { best_of: bestOf, no_ties: noTies } = view.match.options;
  return html`<div class="feed prose small" tabindex="0" role="region" aria-label="Short rules">
    <p>Both throw in secret. When both hands are in, both are shown. <b>Rock</b> beats scissors, <b>scissors</b> beat paper, <b>paper</b> beats rock. A throw is final.</p>
    <p>This duel is best of <b class="num">${bestOf}</b>: more than half of that many wins decide. ${noTies ? "A tie is thrown again." : "A tie is a win for both."}</p>
    <p>When time runs out with one hand in, that hand wins; with none, the throw is void. After three void throws in a row, or twenty that did not count, the duel is called off and stakes are returned.</p>
    <p>Either player can offer a break; both must agree. The duel waits up to seven days and continues when both are ready.</p>
    <p><a href=${config.rules_url} target="_blank" rel="noopener">All rules of the duel</a></p>
  </div>`;
}
