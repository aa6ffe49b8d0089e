// The end of a town's game, or of one that was called off, and the ways on.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { RatedNote, paidOf } from "rr/mafia/awards";
import { CALLED_OFF } from "rr/mafia/game";

export function Afterwards() {
  const { view, rematch, config } = useTable();
  const canGoOn = view.you.may.includes("rematch") || view.match.next;
  return html`<div class="actions">
    <a class="btn" href=${config.lobby_url}>To the lobby</a>
    ${view.game && html`<a class="btn" href=${config.story_url}><${Icon} name="book-open" />The whole story</a>`}
    ${view.game && html`<a class="btn" href=${`/proof/?match=${view.match.public_id}`}><${Icon} name="check" />Check the deal</a>`}
    ${canGoOn && html`<${ActButton} kind="rematch" class="btn btn-brass" onPress=${rematch}><${Icon} name="rotate-ccw" />${view.match.next ? "To the next game" : "Play again"}<//>`}
  </div>`;
}

function Row({ row }) {
  const { view } = useTable();
  const { no, fate, card, earned } = row;
  const { amount, why } = paidOf(view, no, earned || null);
  return html`<tr class=${earned ? "is-winner" : ""}><th scope="row">${nameOf(view, no)}<small>${fate}</small></th><td>${card}</td><td class="num right">${amount}${why && html`<small>${why}</small>`}</td></tr>`;
}

/** won: null for those who did not play; rows: [{no, fate, card, earned}], card being drawn, earned as [x, y] if anything. */
export function EndingPanel({ headline, reason, won, wonWords, rows }) {
  const { view } = useTable();
  return html`<section class=${won ? "panel dock ending is-mine" : "panel dock ending"} aria-label="End of the game">
    <header class="ending-head"><${Icon} name=${won ? "trophy" : "fedora"} /><div role="status"><h2>${headline}</h2><p class="muted">${reason}${won === null ? "" : ` ${wonWords}`}</p></div></header>
    <div class="scroll-x"><table class="rows rows-tight town-roles">
      <thead><tr><th scope="col">Player</th><th scope="col">Role</th><th scope="col" class="right">${view.match.rated ? "Paid" : "Earned"}</th></tr></thead>
      <tbody>${rows.map((row) => html`<${Row} key=${row.no} row=${row} />`)}</tbody>
    </table></div>
    <${RatedNote} />
    <${Afterwards} />
  </section>`;
}

export function Void() {
  const { view } = useTable();
  const [headline, reason] = CALLED_OFF;
  return html`<section class="panel dock ending" aria-label=${headline}>
    <header class="ending-head"><${Icon} name="ban" /><div role="status"><h2>${view.match.status === "void" ? headline : "Closed"}</h2><p class="muted">${view.match.void_reason ?? reason}</p></div></header>
    <${Afterwards} />
  </section>`;
}
