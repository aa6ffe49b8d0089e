// The end of a town's game, or of one that was called off, and the ways on.
import { html } from "preact";
import { Icon } from "rr/icon";
import { ActButton, useInSight, useTable } from "rr/board/parts";
import { callName } from "rr/board/seats";
import { Insight } from "rr/people/insight";
import { ReplayLinks } from "rr/replays/share";
import { RatedNote, paidOf } from "rr/mafia/awards";
import { PostMortem } from "rr/mafia/postmortem";
import { CALLED_OFF, hasLeft } from "rr/mafia/game";

export function Afterwards() {
  const { view, rematch, config } = useTable();
  const canGoOn = view.you.may.includes("rematch") || view.match.next;
  return html`<div class="actions">
    <a class="btn" href=${config.lobby_url}>To the lobby</a>
    <${ReplayLinks} />
    ${view.game && html`<a class="btn" href=${config.story_url}><${Icon} name="book-open" />The whole story</a>`}
    ${view.game && html`<a class="btn" href=${`/proof/?match=${view.match.public_id}`}><${Icon} name="check" />Check the deal</a>`}
    ${canGoOn && html`<${ActButton} kind="rematch" class="btn btn-brass" onPress=${rematch}><${Icon} name="rotate-ccw" />${view.match.next ? "To the next game" : "Play again"}<//>`}
  </div>`;
}

function FateCard({ row }) {
  const { view } = useTable();
  const { no, fate, title, picture, look, earned } = row;
  const { amount, why } = paidOf(view, no, earned || null);
  const marks = ["fate-card", look, earned && "is-winner", view.you.seat === no && "is-mine"].filter(Boolean).join(" ");
  return html`<li class=${marks}><span class="card-back" aria-hidden="true" /><span class="card-face">
    <span class="card-picture">${picture}</span><b class="fate-name">${callName(view, no)}${earned && html`<span class="sr">, winner</span>`}</b><span>${title}</span><small class="muted">${fate}</small>
    ${view.match.rated && earned && html`<span class="fate-paid"><${Icon} name="coins" /><b class="num">${amount}</b></span>${why && html`<small class="muted">${why}</small>`}`}</span></li>`;
}

/** The end for the viewer, in words; `won` is null if the viewer neither won nor lost. */
export function ownEnd(view, won) {
  if (won === null) return "";
  if (won) return "You won.";
  return hasLeft(view) ? "You left, so this is a loss." : "You lost.";
}

/**
 * won: null for those who neither won nor lost; rows: [{no, fate, title, picture, look, earned}], earned as
 * [x, y] if anything; deciding: {title, text} of what decided the game, or null.
 */
export function EndingPanel({ headline, reason, won, rows, deciding }) {
  const { view } = useTable();
  const head = useInSight();
  const own = ownEnd(view, won);
  return html`<section class=${won ? "panel dock ending is-mine" : "panel dock ending"} aria-label="End of the game">
    <header class="ending-head" ref=${head}><${Icon} name=${won ? "trophy" : "fedora"} /><div><h2>${headline}</h2><p class="muted">${own && html`<b class="ending-own">${own}</b> `}${reason}</p></div></header>
    ${deciding && html`<figure class="deciding"><figcaption class="small muted">${deciding.title}</figcaption><blockquote><p>${deciding.text}</p></blockquote></figure>`}
    <ul class="fate-cards" aria-label="Who was what">${rows.map((row) => html`<${FateCard} key=${row.no} row=${row} />`)}</ul>
    <${RatedNote} />
    <${Insight} />
    <${Afterwards} />
    <${PostMortem} />
  </section>`;
}

export function Void() {
  const { view } = useTable();
  const [headline, reason] = CALLED_OFF;
  return html`<section class="panel dock ending" aria-label=${headline}>
    <header class="ending-head"><${Icon} name="ban" /><div><h2>${view.match.status === "void" ? headline : "Closed"}</h2><p class="muted">${view.match.void_reason ?? reason}</p></div></header>
    <${Afterwards} />
  </section>`;
}
