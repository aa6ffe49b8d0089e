// The end of a town's game: where to go from there, and a game that was called off.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, useTable } from "rr/board/parts";

export function Afterwards() {
  const { view, rematch, config } = useTable();
  const canGoOn = view.you.may.includes("rematch") || view.match.next;
  return html`<div class="actions">
    <a class="btn" href=${config.lobby_url}>To the lobby</a>
    ${view.game && html`<a class="btn" href=${config.story_url}><${Icon} name="book-open" />The whole story</a>`}
    ${canGoOn && html`<${ActButton} kind="rematch" class="btn btn-brass" onPress=${rematch}><${Icon} name="rotate-ccw" />${view.match.next ? "To the next game" : "Play again"}<//>`}
  </div>`;
}

/** won: null for whoever did not play; rows: [{no, name, fate, card, award}], card being drawn. */
export function EndingPanel({ headline, reason, won, wonWords, rows, note }) {
  return html`<section class=${won ? "panel dock ending is-mine" : "panel dock ending"} aria-label="End of the game">
    <header class="ending-head"><${Icon} name=${won ? "trophy" : "fedora"} /><div role="status"><h2>${headline}</h2><p class="muted">${reason}${won === null ? "" : ` ${wonWords}`}</p></div></header>
    <div class="scroll-x"><table class="rows rows-tight town-roles">
      <thead><tr><th scope="col">Player</th><th scope="col">Role</th><th scope="col" class="right">Earned</th></tr></thead>
      <tbody>${rows.map(({ no, name, fate, card, award }) => html`<tr key=${no} class=${award ? "is-winner" : ""}><th scope="row">${name}<small>${fate}</small></th><td>${card}</td><td class="num right">${award || "–"}</td></tr>`)}</tbody>
    </table></div>
    <p class="small muted">${note}</p>
    <${Afterwards} />
  </section>`;
}

export function Void() {
  const { view } = useTable();
  return html`<section class="panel dock ending" aria-label="Called off">
    <header class="ending-head"><${Icon} name="ban" /><div role="status"><h2>${view.match.status === "void" ? "Called off" : "Closed"}</h2><p class="muted">${view.match.void_reason ?? "Nobody wins and nobody loses."}</p></div></header>
    <${Afterwards} />
  </section>`;
}
