// The board of a game that has none of its own: seats, clock, a button for each move, the end.
import { html } from "preact";
import { Icon } from "rr/icon";
import { BoardControls } from "rr/board/controls";
import { HeadTools, LinkNotice, Play, Toasts } from "rr/board/frame";
import { Keys } from "rr/board/help";
import { Opponents, SeatClock } from "rr/board/opponents";
import { ActButton, Announcer, Avatar, Points, Ring, Table, useTable } from "rr/board/parts";
import { callName } from "rr/board/seats";
import { ReplayLinks } from "rr/replays/share";
import { Side } from "rr/board/side";
import { GuestSeat, seatLink } from "rr/board/way-in";
import { signed } from "rr/board/wording";

export class SimpleControls extends BoardControls {
  move(place) {
    const move = this.mine?.moves?.[place];
    if (move) this.act(move.action.kind, move.action);
  }

  ready() {
    this.act("ready", { configuration: this.view.match.options_revision });
  }

  obey(wish) {
    if (wish.name === "move") this.move(wish.place);
    else this.setUi({ dialog: "help" });
  }
}

export function isMyMove(view) {
  return Boolean(view.game?.you?.moves?.length);
}

function marks(view, no, seat) {
  return ["simple-seat", seat?.is_awaited && "is-acting", view.you.seat === no && "is-you", seat?.has_left && "is-out", view.game?.result?.winners.includes(no) && "is-winner"].filter(Boolean).join(" ");
}

function FreeSeat() {
  const link = seatLink(useTable());
  return html`<li class="simple-seat is-empty"><span class="disc disc-empty"><${Icon} name="user" /></span><span class="name">${link ? html`<a ...${link}>Free seat</a>` : "Free seat"}</span></li>`;
}

function Seat({ chair }) {
  const { view } = useTable();
  const { player } = chair;
  const seat = view.game?.seats.find(({ no }) => no === chair.no);
  if (!player) return html`<${FreeSeat} />`;
  const status = seat ? seat.note : chair.ready ? "ready" : "not ready";
  const isAway = !chair.present && !player.bot;
  return html`<li class=${marks(view, chair.no, seat)}>
    <span class="disc"><${Avatar} player=${player} />${isAway && html`<span class="disc-away"><${Icon} name="wifi-off" /><span class="sr">not connected</span></span>`}</span>
    <span class="name">${callName(view, chair.no)}</span>
    <span class="simple-note">${status || (seat?.is_awaited ? "thinking…" : "")}</span>
  </li>`;
}

function Felt() {
  const { view } = useTable();
  const { game, match } = view;
  const line = match.stalled ? "The clock is stopped" : (game?.note ?? "");
  return html`<section class="panel simple-felt" aria-label="Table">
    <ul class="simple-seats">${view.seats.map((chair) => html`<${Seat} key=${chair.no} chair=${chair} />`)}</ul>
    <div class="simple-centre" role="status">
      ${game?.due_at && !match.stalled && html`<${Ring} dueAt=${game.due_at} limit=${match.options.clock * 1000} label="Time left" />`}
      ${match.options.stake > 0 && html`<${Points} amount=${match.options.stake * view.seats.filter(({ player }) => player).length} />`}
      ${line && html`<p>${line}</p>`}
    </div>
  </section>`;
}

function Moves() {
  const { view, controls } = useTable();
  const { you } = view.game;
  const words = !you ? "You are watching" : you.moves.length ? "Your turn" : "Waiting for the others";
  return html`<header class="dock-head"><h2 role="status">${words}</h2>${you && html`<${ActButton} kind="leave" class="btn btn-danger" onPress=${() => controls.act("leave")}>Give up<//>`}</header>
    ${you?.moves.length > 0 && html`<div class="actions">${you.moves.map(({ label, action }, place) => html`<${ActButton} key=${label} kind=${action.kind} class="btn btn-brass btn-big" onPress=${() => controls.move(place)}>${label}${place < 9 && html` <kbd>${place + 1}</kbd>`}<//>`)}</div>`}`;
}

function Before() {
  const { view, controls } = useTable();
  const own = view.seats[view.you.seat];
  if (view.you.name === null) return html`<${GuestSeat} />`;
  if (!own) return view.you.may.includes("sit") ? html`<div class="actions"><${ActButton} kind="sit" class="btn btn-brass btn-big" onPress=${() => controls.act("sit")}>Take a seat<//></div>` : html`<p>All seats are taken. You can watch.</p>`;
  const isAlone = view.seats.filter(({ player }) => player).length < 2;
  const ready = own.ready
    ? html`<${ActButton} kind="unready" onPress=${() => controls.act("unready")}>Not ready<//>`
    : html`<${ActButton} kind="ready" class="btn btn-brass btn-big" onPress=${() => controls.ready()}><${Icon} name="check" />Ready<//>`;
  return html`<p role="status">${isAlone ? "Waiting for an opponent." : own.ready ? "You are ready." : "Press Ready to start."}</p><${SeatClock} />
    <div class="actions"><${ActButton} kind="stand" onPress=${() => controls.act("stand")}>Stand up<//>${ready}</div>`;
}

function Ending() {
  const { view, rematch, config } = useTable();
  const { game, match } = view;
  const awards = game?.result?.awards ?? [];
  const words = match.status === "void" ? "This game was voided. All points went back." : match.status === "closed" ? "This table has closed." : game.result.winners.length ? `${game.result.winners.map((no) => callName(view, no)).join(", ")} won.` : "A draw.";
  const canPlayAgain = view.you.may.includes("rematch") || match.next;
  return html`<p role="status"><b>${words}</b></p>
    ${match.options.stake > 0 && awards.length > 0 && html`<table class="rows rows-tight"><thead><tr><th scope="col">Player</th><th scope="col" class="right">Points</th></tr></thead>
      <tbody>${awards.map(([no, share]) => html`<tr key=${no}><th scope="row">${callName(view, no)}</th><td class="num right">${share === match.options.stake ? "0" : signed(share - match.options.stake)}</td></tr>`)}</tbody></table>`}
    <div class="actions"><a class="btn" href=${config.lobby_url}>All tables</a><${ReplayLinks} />${canPlayAgain && html`<${ActButton} kind="rematch" class="btn btn-brass" onPress=${rematch}><${Icon} name="rotate-ccw" />Rematch<//>`}</div>`;
}

function Dock() {
  const { status } = useTable().view.match;
  const part = status === "open" ? html`<${Before} /><${Opponents} />` : status === "running" ? html`<${Moves} />` : html`<${Ending} />`;
  return html`<section class="panel dock" aria-label="Actions">${part}</section>`;
}

function Rules() {
  const { config } = useTable();
  return html`<div class="pad prose">${config.how.map((paragraph) => html`<p>${paragraph}</p>`)}<p><a href=${config.rules_url}>All rules</a></p></div>`;
}

const KEYS = [["1 … 9", "make a move"]];

function Board() {
  const { view, ui, controls } = useTable();
  return html`<div class="board-main">
      <header class="table-head"><h1>${view.match.title}</h1><${HeadTools} /></header>
      <${LinkNotice} />
      <${Play}><${Felt} /><${Dock} /><//>
      <${Toasts} />
    </div>
    <${Side} rules=${Rules} />
    <${Announcer} dueAt=${view.game?.due_at ?? null} isMine=${isMyMove(view)} />
    ${ui.dialog === "help" && html`<${Keys} keys=${KEYS} onClose=${() => controls.setUi({ dialog: null })} />`}`;
}

export function SimpleApp({ table }) {
  return html`<${Table.Provider} value=${table}><${Board} /><//>`;
}
