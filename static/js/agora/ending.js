// How the game ended: who won, who was what, who earned what; the story, the next game.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { RatedNote, paidOf } from "rr/mafia/awards";
import { endingOf, fateOf, hasWon, roleWord } from "rr/agora/words";

function Table() {
  const { view } = useTable();
  const { game } = view;
  const awards = new Map(game.result?.awards ?? []);
  const row = (citizen) => {
    const points = awards.get(citizen.no);
    const { amount, why } = paidOf(view, citizen.no, points ? [points, points] : null);
    return html`<tr key=${citizen.no} class=${points ? "is-winner" : ""}><th scope="row">${nameOf(view, citizen.no)}<small>${fateOf(citizen) || "lived"}</small></th><td>${citizen.role && roleWord(citizen.role)}</td><td class="num right">${amount}${why && html`<small>${why}</small>`}</td></tr>`;
  };
  return html`<div class="scroll-x"><table class="rows rows-tight town-roles">
    <thead><tr><th scope="col">Citizen</th><th scope="col">Role</th><th scope="col" class="right">${view.match.rated ? "Paid" : "Earned"}</th></tr></thead>
    <tbody>${game.seats.map(row)}</tbody>
  </table></div>`;
}

export function Afterwards() {
  const { view, rematch, config } = useTable();
  const canGoOn = view.you.may.includes("rematch") || view.match.next;
  return html`<div class="actions">
    <a class="btn" href=${config.lobby_url}>To the lobby</a>
    ${view.game && html`<a class="btn" href=${config.story_url}><${Icon} name="book-open" />The whole story</a>`}
    ${canGoOn && html`<${ActButton} kind="rematch" class="btn btn-brass" onPress=${rematch}><${Icon} name="rotate-ccw" />${view.match.next ? "To the next game" : "Play again"}<//>`}
  </div>`;
}

export function Ending() {
  const { view } = useTable();
  const { headline, reason } = endingOf(view.game);
  const won = hasWon(view);
  return html`<section class=${won ? "panel dock ending is-mine" : "panel dock ending"} aria-label="End of the game">
    <header class="ending-head"><${Icon} name=${won ? "trophy" : "fedora"} /><div role="status"><h2>${headline}</h2><p class="muted">${reason}${won === null ? "" : won ? " You are on the winning side." : " You are not on the winning side."}</p></div></header>
    <${Table} />
    <${RatedNote} />
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
