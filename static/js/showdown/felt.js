// The felt: seats around it, pot and clock in the middle.
import { html, useEffect, useRef } from "preact";
import { Icon } from "rr/icon";
import { characterOf } from "rr/board/opponents";
import { Avatar, Points, Ring, useLeft, useTable, useUnit } from "rr/board/parts";
import { PersonName } from "rr/people/person";
import { nameOf } from "rr/board/seats";
import { seatLink } from "rr/board/way-in";
import { betWords, missingFor, shownPurse } from "rr/showdown/betting";
import { WEAPONS } from "rr/showdown/lore";
import { fly, seatDisc } from "rr/board/flights";
import { isScored } from "rr/showdown/reveal";
import { isActing, placeOf, statusLine } from "rr/showdown/seats";
import { endingLine } from "rr/showdown/wording";

function EmptySeat({ no, place }) {
  const table = useTable();
  const { view, controls } = table;
  const link = seatLink(table);
  const may = view.you.may.includes("sit") && view.you.name !== null && !missingFor(view);
  const purse = shownPurse(view, controls.ui.purse);
  const face = html`<span class="disc disc-empty"><${Icon} name="plus" /></span><span class="name">${may ? "Sit here" : "Free seat"}</span>`;
  if (link) return html`<li class=${`seat at-${place} is-empty`}><a class="seat-button" ...${link}>${face}</a></li>`;
  if (!may) return html`<li class=${`seat at-${place} is-empty`}>${face}</li>`;
  return html`<li class=${`seat at-${place} is-empty`}>
    <button type="button" class="seat-button" aria-label=${`Sit here with ${purse}, at seat ${no + 1}`} onClick=${() => controls.act("sit", { seat: no, purse })}>${face}</button>
  </li>`;
}

/** The viewer's choices against this seat; only the chooser's view has them. */
function OwnChoice({ no }) {
  const { view } = useTable();
  const weapon = view.game?.stage === "round" ? view.game.you?.attacks[no] : null;
  if (!weapon) return null;
  return html`<span class=${`seat-choice card-${WEAPONS[weapon].material}`}>You → <${Icon} name=${weapon} />${WEAPONS[weapon].title}</span>`;
}

/** The viewer's own mines under this seat; nobody else sees them. */
function OwnMines({ no }) {
  const { view } = useTable();
  const count = view.game?.stage === "round" ? view.game.you?.mines[no] : 0;
  if (!count) return null;
  const words = `You planted ${count === 1 ? "a mine" : `${count} mines`} here. Only you know.`;
  return html`<span class="seat-mine" title=${words}><${Icon} name="landmine" />${count > 1 && html`<b class="num">${count}</b>`}<span class="sr">${words}</span></span>`;
}

/** The victory points as far as they have been shown: those of a round on show come with its score. */
function VictoryPoints({ seat }) {
  const { state } = useTable();
  const coming = isScored(state.reveal) ? 0 : (state.reveal.points[seat.no] ?? 0);
  const isNew = state.reveal && !coming && state.reveal.points[seat.no] > 0;
  return html`<b class=${isNew ? "is-scored" : ""}>${seat.points - coming} VP</b>`;
}

function SeatMoney({ chair, seat, game }) {
  const money = game?.result?.reason === "void" ? game.result.seats[chair.no] : null;
  if (money) return html`<span class="seat-money">${money.paid_out} back</span>`;
  if (!seat) return html`<span class="seat-money">purse ${chair.purse}</span>`;
  if (game.stage === "betting") return html`<span class="seat-money">${seat.stake} in · ${seat.purse} left</span>`;
  return html`<span class="seat-money"><${VictoryPoints} seat=${seat} />${seat.arsenal_added ? html`<span class="seat-added" title="Added from the stash"> · ${seat.arsenal_added} added</span>` : ""}</span>`;
}

function Disc({ chair, seat, game }) {
  return html`<span class="disc">
    <${Avatar} player=${chair.player} />
    ${game?.dealer === chair.no && html`<abbr class="dealer" title="Dealer">D</abbr>`}
    ${seat?.locked && game.stage === "round" && html`<span class="disc-lock"><${Icon} name="lock" /></span>`}
    ${!chair.present && !chair.player.bot && !game?.result && html`<span class="disc-away"><${Icon} name="wifi-off" /></span>`}
  </span>`;
}

function seatClass(view, chair, seat, place, isKnown) {
  const marks = [`seat at-${place}`];
  if (isActing(view, chair.no)) marks.push("is-acting");
  if (seat && ["folded", "gave_up"].includes(seat.status)) marks.push("is-out");
  if (view.you.seat === chair.no) marks.push("is-you");
  if (isKnown && view.game?.result?.winners.includes(chair.no)) marks.push("is-winner");
  if (view.newcomer === chair.no && view.you.seat !== chair.no) marks.push("is-new");
  return marks.join(" ");
}

/** The strength of a bot, shown before the game. */
function Strength({ player }) {
  const { config } = useTable();
  const character = player.bot ? characterOf(config, player.name) : null;
  return character ? html`<span class="seat-kind">${character[2]} bot, ${character[1]}</span>` : null;
}

/** A word for an absent player: nobody waits for them after the game. */
function awayWord({ game, match }, chair) {
  if (chair.present || chair.player.bot) return "";
  if (!game?.result) return " · offline";
  return match.next ? " · at the next table" : " · has left";
}

function TakenSeat({ chair, place }) {
  const { state, view } = useTable();
  const seat = view.game?.seats.find((one) => one.no === chair.no);
  const isKnown = isScored(state.reveal); // the end is not told before its last battles are
  const isYou = view.you.seat === chair.no;
  return html`<li class=${seatClass(view, chair, seat, place, isKnown)} data-seat=${chair.no}>
    <${Disc} chair=${chair} seat=${seat} game=${view.game} />
    ${isYou ? html`<span class="name">You</span>` : html`<${PersonName} class="name" name=${chair.player.name} />`}
    ${view.game ? "" : html`<${Strength} player=${chair.player} />`}
    <span class="seat-state">${view.game?.result && !isKnown ? "…" : statusLine(view, chair.no)}${awayWord(view, chair)}</span>
    <${SeatMoney} chair=${chair} seat=${seat} game=${view.game} />
    <${OwnChoice} no=${chair.no} /><${OwnMines} no=${chair.no} />
  </li>`;
}

function Pots() {
  const { view } = useTable();
  const unit = useUnit();
  const { pots, pot } = view.game;
  if (!pots || pots.length < 2) return html`<p class="pot"><${Points} amount=${pot} /><span class="sr">${unit} in the pot</span></p>`;
  return html`<p class="pot"><${Points} amount=${pot} /></p>
    <ul class="side-pots" aria-label="Pots">${pots.map((one, place) => html`<li title=${one.claimants.map((no) => nameOf(view, no)).join(", ")}>${place ? `side ${place}` : "main"} <b class="num">${one.amount}</b><span class="sr"> for ${one.claimants.map((no) => nameOf(view, no)).join(", ")}</span></li>`)}</ul>`;
}

function stageLine(game) {
  if (game.stage === "betting") return `Betting · ${betWords(game)}`;
  return `Round ${game.round} · first to ${game.target}`;
}

/** The pot goes to its winners before the eyes of those who saw the game end. */
function usePotSlide(result) {
  const { state } = useTable();
  const pot = useRef(null);
  useEffect(() => {
    if (!state.sawEnd || !result) return;
    const shares = result.pots.flatMap((one) => Object.entries(one.shares));
    for (const no of new Set(shares.map(([seat]) => seat))) {
      const sum = shares.reduce((all, [seat, amount]) => (seat === no ? all + amount : all), 0);
      if (sum) fly(pot.current, seatDisc(no), `+${sum}`);
    }
  }, []);
  return pot;
}

/** The text on the felt after the end of the game. */
function OverCentre() {
  const { view } = useTable();
  const unit = useUnit();
  const pot = usePotSlide(view.game.result);
  const { match, game } = view;
  const isCalledOff = match.status === "void" || !game.result;
  return html`<div class="centre">
    <p class="centre-line">${isCalledOff ? "Everything went back" : "Game over"}</p>
    <p class="centre-big">${isCalledOff ? "Called off" : endingLine(view).headline}</p>
    ${!isCalledOff && html`<p class="pot" ref=${pot}><${Points} amount=${game.result.pots.reduce((sum, pot) => sum + pot.amount, 0)} /><span class="sr">${unit} were in the pot</span></p>`}
  </div>`;
}

function GameCentre() {
  const { state, view } = useTable();
  const { game, match } = view;
  if (game.stage === "over" && !isScored(state.reveal)) return null;
  if (game.stage === "over") return html`<${OverCentre} />`;
  return html`<div class="centre">
    <p class="centre-line">${stageLine(game)}</p>
    <${Pots} />
    ${match.stalled ? html`<p class="centre-line">The clock is stopped</p>` : html`<${Ring} dueAt=${game.due_at} limit=${game.clock_limit} label="Time left" />`}
  </div>`;
}

function waitingWord(view) {
  const taken = view.seats.filter((seat) => seat.player);
  if (taken.length < 2) return taken.length ? "Waiting for one more player" : "Pull up a chair";
  const ready = taken.filter((seat) => seat.ready).length;
  return `${ready} of ${taken.length} ready`;
}

function BeforeCentre() {
  const { view } = useTable();
  const { match, start_at: startAt } = view;
  const left = useLeft(startAt);
  if (match.status !== "open" && match.status !== "running") return html`<div class="centre"><p class="centre-big">${match.status === "void" ? "Called off" : "Closed"}</p></div>`;
  return html`<div class="centre">
    <p class="centre-line">Ante ${match.options.ante} · first to ${match.options.target}</p>
    ${left === null ? html`<p class="centre-big">${waitingWord(view)}</p>` : html`<p class="centre-big" role="status">Starts in</p><${Ring} dueAt=${startAt} limit=${5000} label="Until the start" />`}
  </div>`;
}

export function Felt() {
  const { view } = useTable();
  const count = view.seats.length;
  const chairs = view.seats.map((chair) => {
    const place = placeOf(chair.no, count, view.you.seat);
    return chair.player ? html`<${TakenSeat} key=${chair.no} chair=${chair} place=${place} />` : html`<${EmptySeat} key=${chair.no} no=${chair.no} place=${place} />`;
  });
  return html`<section class="felt-box" aria-label="The table">
    <div class=${`felt felt-${count}`}>
      ${view.game ? html`<${GameCentre} />` : html`<${BeforeCentre} />`}
      <ul class="seats">${chairs}</ul>
    </div>
  </section>`;
}
