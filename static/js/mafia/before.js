// Before the game: who sits, what is played, bots in one press, ready.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Opponents, SeatClock } from "rr/board/opponents";
import { ActButton, Avatar, Countdown, useTable } from "rr/board/parts";
import { PersonName } from "rr/people/person";
import { nameOf } from "rr/board/seats";
import { GuestSeat, seatLink } from "rr/board/way-in";
import { RatedNote } from "rr/mafia/awards";
import { Appointment } from "rr/mafia/appointment";
import { AwayTag } from "rr/mafia/substitutes";

function Chair({ chair }) {
  const table = useTable();
  const { view } = table;
  if (!chair.player) {
    const link = seatLink(table);
    return html`<li class="target citizen is-free"><span class="target-disc" aria-hidden="true"><${Icon} name="user" /></span><span class="target-text"><b>${link ? html`<a ...${link}>Free seat</a>` : "Free seat"}</b><span>Seat ${chair.no + 1}</span></span></li>`;
  }
  const { player } = chair;
  return html`<li class=${view.you.seat === chair.no ? "target citizen is-mine" : "target citizen"}><span class="target-disc" aria-hidden="true"><${Avatar} player=${player} /></span><span class="target-text"><b>${view.you.seat === chair.no ? "You" : html`<${PersonName} name=${player.name} />`}</b><span><${AwayTag} chair=${chair} />${player.bot ? "bot, " : ""}${chair.ready ? "ready" : "not ready"}</span></span></li>`;
}

function NewFace() {
  const { view } = useTable();
  if (view.newcomer === null || view.newcomer === view.you.seat || !view.seats[view.newcomer]?.player) return null;
  return html`<p class="small"><${Icon} name="user" /> <b>${nameOf(view, view.newcomer)}</b> has just sat down.</p>`;
}

function FillWithBots() {
  const { view, controls } = useTable();
  const free = view.seats.filter((seat) => !seat.player).length;
  if (!free || !view.you.may.includes("add_bot")) return null;
  return html`<div class="notice bot-question"><${Icon} name="robot" /><span>Nobody to wait for? Bots play every role.</span><${ActButton} kind="add_bot" class="btn" onPress=${() => controls.fillWithBots()}><span>Fill <b class="num">${free}</b> ${free === 1 ? "seat" : "seats"} with bots</span><//></div>`;
}

function Seated() {
  const { view, controls, config } = useTable();
  const own = view.seats[view.you.seat];
  const ready = own.ready
    ? html`<${ActButton} kind="unready" onPress=${() => controls.act("unready")}>Cancel ready<//>`
    : html`<${ActButton} kind="ready" class="btn btn-brass" onPress=${() => controls.ready()}><${Icon} name="check" />Ready<//>`;
  return html`<p>${own.ready ? view.begins_at ? "You are ready. Be here at that time." : `You are ready. The game begins when all who sit are, and they are at least ${config.players[0]}.` : "Look at the options below, then press Ready. Nothing is at stake but the afternoon."}</p>
    <${NewFace} /><${FillWithBots} /><${SeatClock} />
    <div class="actions"><${ActButton} kind="stand" onPress=${() => controls.act("stand")}>Stand up<//>${ready}</div>`;
}

function Newcomer() {
  const { controls } = useTable();
  return html`<p>There is a chair for you. The roles are dealt when the game begins.</p>
    <div class="actions"><${ActButton} kind="sit" class="btn btn-brass" onPress=${() => controls.act("sit")}>Take a seat<//></div>`;
}

function Guest() {
  const { view } = useTable();
  if (view.you.name === null) return html`<${GuestSeat} />`;
  return html`<p>All seats are taken. Stay and watch; one may become free.</p>`;
}

/** Options: the panel of the game's options. */
export function Before({ Options }) {
  const { view } = useTable();
  const taken = view.seats.filter((seat) => seat.player).length;
  const maySit = view.you.may.includes("sit") && view.you.name !== null && taken < view.seats.length;
  const part = view.you.seat !== null ? html`<${Seated} />` : maySit ? html`<${Newcomer} />` : html`<${Guest} />`;
  return html`<section class="panel dock" aria-label="Before the game">
    <header class="dock-head"><h2 tabindex="-1">${taken} of ${view.seats.length} seats taken</h2>${view.start_at && html`<${Countdown} dueAt=${view.start_at} note="then the roles are dealt" />`}</header>
    <${Appointment} />
    <ul class="targets citizens">${view.seats.map((chair) => html`<${Chair} key=${chair.no} chair=${chair} />`)}</ul>
    ${part}
    <${RatedNote} />
    <${Opponents} />
    <${Options} />
  </section>`;
}
