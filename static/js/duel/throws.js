// The throws so far, the newest first.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { callName } from "rr/board/seats";
import { sidesOf } from "rr/duel/game";
import { title } from "rr/duel/words";

function Thrown({ hand }) {
  if (!hand) return html`<span class="thrown muted"><${Icon} name="ban" /><span>none</span></span>`;
  return html`<span class=${`thrown ink-${hand}`}><${Icon} name=${hand} /><span>${title(hand)}</span></span>`;
}

function outcomeWord(view, thrown) {
  if (!thrown.counted) return thrown.hands.every((hand) => !hand) ? "void" : "tie";
  return thrown.winners.length === 2 ? "both" : callName(view, thrown.winners[0]);
}

export function Throws() {
  const { state, view } = useTable();
  const isFresh = (one) => state.reveal?.number === one.throw; // told when its cards lie open
  const thrown = [...(view.game?.throws ?? [])].reverse();
  if (!thrown.length) return null;
  const [left, right] = sidesOf(view);
  return html`<section class="panel throws" aria-labelledby="throws-heading">
    <header class="panel-head"><h2 id="throws-heading">Throws</h2></header>
    <table class="rows rows-tight">
      <thead><tr><th scope="col">No.</th><th scope="col">${callName(view, left)}</th><th scope="col">${callName(view, right)}</th><th scope="col" class="right">Win</th></tr></thead>
      <tbody>${thrown.map((one) => html`<tr key=${one.throw} class=${isFresh(one) ? "is-fresh" : ""}><th scope="row" class="num">${one.throw}</th>
        <td class=${one.winners.includes(left) ? "is-best" : ""}><${Thrown} hand=${one.hands[left]} /></td><td class=${one.winners.includes(right) ? "is-best" : ""}><${Thrown} hand=${one.hands[right]} /></td>
        <td class="right">${outcomeWord(view, one)}</td></tr>`)}</tbody>
    </table>
  </section>`;
}
