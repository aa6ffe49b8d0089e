// The end of a duel: who won, the points, the ratings, and what next.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Insight } from "rr/people/insight";
import { BotSays, ChooseBot } from "rr/board/opponents";
import { ActButton, RatingCell, useInSight, useTable } from "rr/board/parts";
import { callName, nameOf } from "rr/board/seats";
import { ReplayLinks } from "rr/replays/share";
import { signed } from "rr/board/wording";
import { HabitsQuestion } from "rr/duel/dossier";
import { isUnratedForBot, sidesOf } from "rr/duel/game";
import { endingOf, finalScore } from "rr/duel/words";

function Row({ chair, result, isRated }) {
  const { view } = useTable();
  const { stake, seats } = view.game;
  const net = (result.awards?.[chair.no] ?? 0) - stake;
  const isWinner = result.winners.includes(chair.no);
  return html`<tr class=${isWinner ? "is-winner" : ""}>
    <th scope="row">${isWinner && html`<${Icon} name="trophy" /><span class="sr">Winner: </span>`}${callName(view, chair.no)}</th>
    <td class="num right">${seats[chair.no].wins}</td>
    ${stake > 0 && html`<td class=${`num right ${net > 0 ? "plus" : net < 0 ? "minus" : ""}`}>${net === 0 ? "0" : signed(net)}</td>`}
    ${isRated && html`<${RatingCell} chair=${chair} />`}
  </tr>`;
}

function Sums({ result }) {
  const { view } = useTable();
  const isRated = view.match.rated;
  const isStaked = view.game.stake > 0;
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Result"><table class="rows rows-tight">
    <thead><tr><th scope="col">Player</th><th scope="col" class="right">Wins</th>${isStaked && html`<th scope="col" class="right">Points</th>`}${isRated && html`<th scope="col" class="right">Rating</th>`}</tr></thead>
    <tbody>${sidesOf(view).map((no) => html`<${Row} key=${no} chair=${view.seats[no]} result=${result} isRated=${isRated} />`)}</tbody>
  </table></div>
  ${isUnratedForBot(view) && html`<p class="small muted">A duel with a bot is not rated.</p>`}
  ${result.tax > 0 && html`<p class="small muted">Tax: <span class="num">${result.tax}</span> of both stakes.</p>`}`;
}

/** A form, since it opens something new; the board's own line is for this duel only. */
export function QuickAgain({ look = "btn" }) {
  const { config, view } = useTable();
  if (!config.name) return null;
  const length = view.match.mark === "long" ? "long" : "quick";
  return html`<form method="post" action=${config.quick_url}><input type="hidden" name="csrfmiddlewaretoken" value=${config.csrf} /><button class=${look} type="submit" name="length" value=${length}><${Icon} name="fist" />New ${length} duel</button></form>`;
}

function wordForNext(view) {
  if (!view.match.next) return "Rematch";
  return view.you.seat === null ? "Watch the rematch" : "Accept the rematch";
}

/** The words of an event to a player, or about a duel without a winner. */
export function InTrain() {
  const { view, config } = useTable();
  const winner = view.game?.result?.winners[0];
  const said = winner === undefined ? config.home?.said : config.home?.[winner === view.you.seat ? "won" : "lost"];
  if (!said || (winner !== undefined && view.you.seat === null)) return null;
  return html`<p class="notice" role="status">${said.replace("{name}", () => nameOf(view, winner))}</p>`;
}

export function Afterwards() {
  const { view, rematch, config } = useTable();
  const may = view.you.may.includes("rematch");
  const { next } = view.match;
  const other = view.seats.find((chair) => chair.no !== view.you.seat && chair.player);
  return html`${next && view.you.seat !== null && other && html`<p class="notice" role="status"><b>${nameOf(view, other.no)}</b> and you: the next duel is ready, same seats and settings.</p>`}
    <div class="actions">
      ${config.home && html`<a class="btn btn-brass" href=${config.home.url}>To ${config.home.title}</a>`}
      ${!config.home && html`<a class="btn" href=${config.lobby_url}>To the duels</a>`}
      <${ReplayLinks} />
      ${!config.home && html`<${QuickAgain} />`}
      ${config.practice && html`<${ChooseBot} />`}
      ${(may || next) && !config.home && html`<${ActButton} kind="rematch" class="btn btn-brass" onPress=${rematch}><${Icon} name="rotate-ccw" />${wordForNext(view)}<//>`}
    </div>`;
}

export function DuelEnding() {
  const { view } = useTable();
  const head = useInSight();
  const { result } = view.game;
  const { headline, reason } = endingOf(view);
  const isMine = result.winners.includes(view.you.seat);
  return html`<section class=${`panel dock ending${isMine ? " is-mine" : ""}`} aria-label="End of the duel">
    <header class="ending-head" ref=${head}><${Icon} name=${isMine ? "trophy" : "fist"} /><div><h2>${headline} <span class="tally">${finalScore(view)}</span></h2><p class="muted">${reason}</p></div></header>
    <${InTrain} />
    <${Sums} result=${result} />
    <${BotSays} />
    <${Insight} />
    <${HabitsQuestion} />
    <${Afterwards} />
  </section>`;
}
