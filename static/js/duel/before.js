// Before a duel: a seat, a configuration both agree on, ready; or somebody to play.
import { html, useRef } from "preact";
import { Icon } from "rr/icon";
import { spanText } from "rr/board/clock";
import { BotOnItsWay, Opponents, SeatClock } from "rr/board/opponents";
import { CopyLink } from "rr/board/frame";
import { ActButton, useLeft, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { GuestSeat } from "rr/board/way-in";
import { DuelOptions } from "rr/duel/options";
import { acceptedBy, cameTo, isAsked, isOnCall, isUnratedForBot, moneyOf } from "rr/duel/game";

const LEAD = 3_000; // the countdown of a quick duel

/** The points that the viewer lacks for the stake; 0 or less when it is covered. */
function shortBy({ match, you }) {
  return match.options.stake - (you.balance ?? match.options.stake);
}

function StakeWords() {
  const { view } = useTable();
  const { stake, prize } = moneyOf(view.match.options);
  if (isUnratedForBot(view)) return html`<p>Nothing is at stake: a duel with a bot is <b>not rated</b>.</p>`;
  if (!stake) return html`<p>Nothing is at stake${view.match.rated ? " but the rating" : ""}.</p>`;
  const missing = shortBy(view);
  return html`<p>The stake is <b class="num">${stake}</b> each, taken when the duel starts; the winner gets <b class="num">${prize}</b>.${missing > 0 && html` <b class="minus">You are ${missing} short.</b>`}</p>`;
}

function Decline() {
  const { config } = useTable();
  return html`<form method="post" action=${config.decline_url}><input type="hidden" name="csrfmiddlewaretoken" value=${config.csrf} /><button class="btn" type="submit"><${Icon} name="x" />Decline</button></form>`;
}

/** For viewers without a seat: one press sits down and agrees to the options. */
function Newcomer() {
  const { view, controls } = useTable();
  const { challenge } = view.match;
  const isAsked = challenge?.to === view.you.name;
  const accept = html`<${ActButton} kind="sit" class="btn btn-brass" disabled=${shortBy(view) > 0} onPress=${() => controls.accept()}><${Icon} name="check" />${isAsked ? "Accept" : "Take the seat and play"}<//>`;
  return html`${isAsked && html`<p><b>${challenge.from}</b> challenges you.</p>`}
    <${StakeWords} />
    <div class="actions">${isAsked && html`<${Decline} />`}${accept}</div>`;
}

function Guest() {
  const { view } = useTable();
  if (view.you.name === null) return html`<${GuestSeat} />`;
  const { challenge } = view.match;
  if (challenge && view.seats.some((seat) => !seat.player)) return html`<p>The free seat is kept for <b>${challenge.to}</b>. You can watch.</p>`;
  return html`<p>Both seats are taken. You can watch.</p>`;
}

function Waiting() {
  const { view } = useTable();
  const { challenge, options } = view.match;
  const words = challenge ? html`<span>Waiting for <b>${challenge.to}</b> to answer…</span>` : "Waiting for an opponent…";
  const isEither = view.match.mark.includes("+") && "Best of 5 or best of 21: the first who comes.";
  const how = isEither || (challenge ? "When they accept, the duel starts." : options.listed ? "Listed: anyone can join." : "Private: only people with the link can join.");
  return html`<div class="waiting" role="status"><span class="waiting-dots" aria-hidden="true"><i /><i /><i /></span><p>${words}<small class="muted">${how}</small></p></div>
    <${BotOnItsWay} note="; it throws by chance, and the duel is not rated" look="btn btn-brass" />`;
}

/** Says why one is ready no longer: the other one came after that. */
function NewFace({ own, other }) {
  const { view } = useTable();
  if (own.ready || !other.player || other.player.bot || view.newcomer !== other.no) return null;
  return html`<p class="notice" role="alert"><span><b>${nameOf(view, other.no)}</b> has joined. Press Ready when you are.</span></p>`;
}

/** Says that the configuration changed since one last looked, and what follows from it. */
function ChangedNotice() {
  const { view } = useTable();
  const revision = view.match.options_revision;
  const seen = useRef(revision);
  const own = view.seats[view.you.seat];
  if (own.ready) seen.current = revision;
  if (seen.current === revision) return null;
  return html`<p class="notice" role="alert">The settings have changed. Check them below, then press Ready again.</p>`;
}

/** A quick duel: nothing but the wait, who has come, and the way out; its terms are fixed. */
function QuickSeated() {
  const { view, controls } = useTable();
  const own = view.seats[view.you.seat];
  const other = view.seats[1 - view.you.seat];
  const came = cameTo(view);
  const isStarting = view.start_at !== null;
  const who = came && html`<b>${nameOf(view, other.no)}</b>`;
  let words = html`<${Waiting} />`;
  if (isAsked(view)) words = html`<p class="notice" role="alert"><span>${came ? html`${who} waits for you.` : "Still there?"}</span></p>`;
  else if (isStarting) words = html`<p class="notice" role="alert"><span>${who} is here. Nothing is at stake${view.match.rated ? " but the rating" : ""}.</span></p>`;
  else if (came) words = html`<p role="status">${who} has to press Ready.</p>`;
  const ready = html`<${ActButton} kind="ready" class="btn btn-brass" onPress=${() => controls.ready()}><${Icon} name="check" />${came ? "Ready" : "Keep waiting"}<//>`;
  return html`<${SeatClock} />${words}
    <div class="actions"><${ActButton} kind="stand" onPress=${() => controls.act("stand")}>${came && (isStarting || !own.ready) ? "Not now" : "Stand up"}<//>${!own.ready && ready}</div>`;
}

function Seated() {
  const { view, controls } = useTable();
  const own = view.seats[view.you.seat];
  const other = view.seats[1 - view.you.seat];
  const ready = own.ready
    ? html`<${ActButton} kind="unready" onPress=${() => controls.act("unready")}>Cancel ready<//>`
    : html`<${ActButton} kind="ready" class="btn btn-brass" disabled=${!view.you.may.includes("ready")} onPress=${() => controls.ready()}><${Icon} name="check" />Ready<//>`;
  const line = own.ready ? "You are ready." : "Press Ready to accept the settings.";
  const isAsking = Boolean(view.match.challenge) && !other.player;
  if (isAsking && own.ready) {
    return html`<${Waiting} /><${StakeWords} />
      <div class="actions"><${ActButton} kind="stand" onPress=${() => controls.act("stand")}>Cancel challenge<//><${CopyLink} look="btn btn-brass" /></div>`;
  }
  return html`<${SeatClock} /><${ChangedNotice} /><${NewFace} own=${own} other=${other} />
    ${other.player ? html`<p>${line} <b>${nameOf(view, other.no)}</b> is ${other.ready ? "ready" : "not ready yet"}.</p>` : html`<${Waiting} />`}
    <${StakeWords} />
    <div class="actions"><${ActButton} kind="stand" onPress=${() => controls.act("stand")}>Stand up<//>${ready}</div>`;
}

/** Whether the free seat, if there is one, is this viewer's to take: a challenge is for one person. */
export function maySit({ match, you }) {
  if (you.name === null || !you.may.includes("sit")) return false;
  return !match.challenge || match.challenge.to === you.name || match.challenge.from === you.name;
}

function heading(view, left) {
  const accepted = acceptedBy(view);
  if (accepted && left !== null) return html`${accepted} accepted. It starts in <b class="num">${spanText(left)}</b> s`;
  // While the chance still waits for a salt, nobody has to count along.
  if (isOnCall(view) && left) return left > LEAD ? "It starts in a moment" : html`It starts in <b class="num">${spanText(left)}</b> s`;
  if (left !== null) return "Here we go…";
  if (view.you.seat !== null) return "Before the duel";
  if (view.match.challenge?.to === view.you.name) return "You are challenged";
  return maySit(view) ? "A duel is offered" : "Before the duel";
}

/** Whether a challenger waits: a bot cannot come, and the link stands among the main buttons. */
function hasOwnLink({ match, you, seats }) {
  return Boolean(match.challenge) && you.seat !== null && seats[you.seat].ready && !seats[1 - you.seat].player;
}

export function BeforeDuel() {
  const { view } = useTable();
  const left = useLeft(view.start_at);
  const part = view.you.seat !== null ? html`<${isOnCall(view) ? QuickSeated : Seated} />` : maySit(view) ? html`<${Newcomer} />` : html`<${Guest} />`;
  const isReady = view.you.seat !== null && view.seats[view.you.seat].ready;
  return html`<section class=${isReady ? "panel dock dock-still" : "panel dock"} aria-label="Before the duel">
    <header class="dock-head"><h2>${heading(view, left)}</h2></header>
    ${part}
    ${hasOwnLink(view) ? null : html`<${Opponents} />`}
    <${DuelOptions} />
  </section>`;
}
