// The end of a game: winners, points, hidden mines, and the ways on.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Insight } from "rr/people/insight";
import { ActButton, RatingCell, useInSight, useTable } from "rr/board/parts";
import { filled, wordsOf } from "rr/board/said";
import { callName } from "rr/board/seats";
import { ReplayLinks } from "rr/replays/share";
import { capital, signed } from "rr/board/wording";
import { RoundResult } from "rr/showdown/reveal";
import { endingLine, ratingLine } from "rr/showdown/wording";

function MoneyRow({ chair, result }) {
  const { view } = useTable();
  const money = result.seats[chair.no];
  const seat = view.game.seats.find((one) => one.no === chair.no);
  const isWinner = result.winners.includes(chair.no);
  if (!money) return null;
  return html`<tr class=${isWinner ? "is-winner" : ""}>
    <th scope="row">${isWinner && html`<${Icon} name="trophy" /><span class="sr">Winner: </span>`}${callName(view, chair.no)}</th>
    <td class="num right">${seat?.points ?? 0}</td>
    <td class="num right">${money.paid_in}</td><td class="num right">${money.paid_out}</td>
    <td class=${`num right ${money.net > 0 ? "plus" : money.net < 0 ? "minus" : ""}`}>${signed(money.net)}</td>
    <td class="num right">${chair.bonus ? signed(chair.bonus) : "–"}</td>
    ${view.match.rated && html`<${RatingCell} chair=${chair} />`}
  </tr>`;
}

/** Winners first, then by victory points. */
function ranked({ game }, chairs) {
  const rank = ({ no }) => (game.result.winners.includes(no) ? 1000 : 0) + (game.seats.find((seat) => seat.no === no)?.points ?? -1);
  return [...chairs].sort((one, other) => rank(other) - rank(one));
}

function Money({ result }) {
  const { view } = useTable();
  const chairs = ranked(view, view.seats.filter((chair) => chair.player));
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Who got what"><table class="rows rows-tight">
    <thead><tr><th scope="col">Player</th><th scope="col" class="right"><abbr title="Victory points">VP</abbr></th><th scope="col" class="right"><abbr title="Brought as a purse">In</abbr></th><th scope="col" class="right"><abbr title="Got back">Out</abbr></th><th scope="col" class="right">Net</th><th scope="col" class="right">Bonus</th>${view.match.rated && html`<th scope="col" class="right">Rating</th>`}</tr></thead>
    <tbody>${chairs.map((chair) => html`<${MoneyRow} key=${chair.no} chair=${chair} result=${result} />`)}</tbody>
  </table></div>`;
}

function potWord(view, pot, place, count) {
  const shares = Object.entries(pot.shares).map(([no, amount]) => `${callName(view, Number(no))} ${amount}`);
  const [only, main, side] = wordsOf("showdown").pots;
  const which = count === 1 ? only : place ? filled(side, { number: place }) : main;
  return `${capital(which)} of ${pot.amount}: ${shares.join(", ")}; ${pot.tax ? `tax ${pot.tax}` : view.game.tax_bp ? "tax rounded to 0" : "no tax"}`;
}

function mineWord(view, { owner, target, count }) {
  return `${callName(view, owner)} had ${count === 1 ? "a mine" : `${count} mines`} under ${callName(view, target)}`;
}

function Details({ result }) {
  const { view } = useTable();
  const lines = [
    ...result.pots.map((pot, place) => potWord(view, pot, place, result.pots.length)),
    ...(result.mines ?? []).map((mine) => mineWord(view, mine)),
    ratingLine(view),
  ].filter(Boolean);
  return html`<ul class="facts">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

function Proof() {
  const { config, view } = useTable();
  const { match } = view;
  if (config.practice) return null; // not among the matches that the page can check
  return html`<details class="proof"><summary>Check that the draw was fair</summary>
    <p class="small">Before the game you were shown only the commitment to the seed. Every random draw follows from the seed and from the players' salts: <a href=${`/proof/?match=${match.public_id}`}>check them all</a>.</p>
    <dl><dt>Commitment</dt><dd><code>${match.commitment}</code></dd><dt>Seed</dt><dd><code>${match.seed ?? "not shown yet"}</code></dd></dl>
  </details>`;
}

export function Again() {
  const { view, rematch, config } = useTable();
  const { next } = view.match;
  const may = view.you.may.includes("rematch");
  return html`<div class="actions">
    <a class="btn" href=${config.lobby_url}>To the tables</a>
    ${config.practice?.start_word && html`<a class="btn btn-brass" href=${config.practice.start_url}>${config.practice.start_word[1]}</a>`}
    <${ReplayLinks} />
    ${(may || next) && html`<${ActButton} kind="rematch" class="btn btn-brass" onPress=${rematch}><${Icon} name="play" />${next ? "Go to the next game" : "Play again"}<//>`}
  </div>`;
}

export function Ending() {
  const { view } = useTable();
  const head = useInSight();
  const { result } = view.game;
  const { headline, reason } = endingLine(view);
  const isMine = result.winners.includes(view.you.seat);
  return html`<section class=${`panel dock ending${isMine ? " is-mine" : ""}`} aria-label="End of the game">
    <header class="ending-head" ref=${head}><${Icon} name=${isMine ? "trophy" : "cards"} /><div><h2>${headline}</h2><p class="muted">${reason}</p></div></header>
    <${Again} />
    <${RoundResult} />
    <${Money} result=${result} />
    <${Details} result=${result} />
    <${Insight} />
    <${Proof} />
  </section>`;
}
