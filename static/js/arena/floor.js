// The floor of the arena: the round, its options and its clock; how many are on each move.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Face, Ring, useLeft, useTable } from "rr/board/parts";
import { capital, signed } from "rr/board/wording";
import { MOVES } from "rr/arena/calculator";
import { choiceOf } from "rr/arena/store";
import { ABOUT, FATE_WORDS, RESTING, fate, howLine, optionsOn, ownLast, resultOf, roundHeadline, wishesLine } from "rr/arena/words";

const PRESSING = 2000; // a selection is short as a whole

/** Share of the largest count, for the bars: 0 to 100. */
export function share(counts, move) {
  const most = Math.max(1, ...MOVES.map((one) => counts[one]));
  return Math.round((100 * counts[move]) / most);
}

/** A large number, short: 12,345 as 12.3k, from ten thousand on. */
export function shortCount(number) {
  if (number < 10_000) return number.toLocaleString("en");
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(number);
}

function Options() {
  const { view, config, state } = useTable();
  const on = optionsOn(view.options);
  return html`<div class="round-options">
    <ul aria-label="Options of this round">${on.length ? on.map((name) => html`<li key=${name}><b>${capital(name)}</b><span class="sr">: ${ABOUT[name]}</span></li>`) : html`<li><b>Plain</b></li>`}</ul>
    <p>${wishesLine(view, config.name, state.wished)}</p>
  </div>`;
}

function Clock() {
  const { view, config } = useTable();
  if (config.replay) return null;
  if (!view.ends_at) return html`<span class="floor-rest"><${Icon} name="moon" /></span>`;
  const limit = (view.options.blitz ? 3000 : 5000) + (view.shows_result_until ? 2000 : 0);
  return html`<${Ring} dueAt=${view.ends_at} limit=${limit} label="Time left to choose" short=${PRESSING} />`;
}

function Head({ isResult }) {
  const { view, config } = useTable();
  const isResting = view.state === "resting" && !config.replay;
  return html`<header class="floor-head">
    <div><h2>${isResting ? RESTING : html`Round <span class="num">${view.round}</span>`}</h2>
      ${isResting ? html`<p>Nobody is in. The next to come begins a round.</p>` : html`<${Options} />`}</div>
    <${Mine} isResult=${isResult} />
    <${Clock} />
  </header>`;
}

function Column({ move, counts, fared, isOwn }) {
  const number = counts ? counts[move] : null;
  const look = ["count-column", fared && `is-${fared}`, isOwn && "is-own"].filter(Boolean).join(" ");
  return html`<li class=${look}>
    <span class=${`count-card card card-${move}`}><${Icon} name=${move} /><b>${capital(move)}</b></span>
    <b class="count-number num">${number === null ? "–" : shortCount(number)}</b>
    <span class="count-bar" aria-hidden="true"><i style=${{ inlineSize: `${counts ? share(counts, move) : 0}%` }} /></span>
    <span class="count-word">${counts && fared !== null ? `${FATE_WORDS[fared]}${isOwn ? " · " : ""}` : ""}${isOwn && html`<b>yours</b>`}</span>
  </li>`;
}

/** The line over the counts. */
function caption(view, isLive, isResult) {
  if (isLive) return html`<${Icon} name="eye" /> Chosen so far · by your streak of ${signed(view.you.streak)}`;
  if (ownLast(view)?.counts) return "Nobody is in: against three house bots";
  if (!view.last) return "No round has been played yet";
  return isResult ? `Round ${view.last.round} is over` : `Last round, ${view.last.round}`;
}

/** The viewer's last result while the next round is already being chosen for. */
function quietLine(own) {
  if (!own.move) return howLine(own);
  const { words, score } = resultOf(own);
  return `${words} with ${own.move}${score}`;
}

function Verdict({ isResult }) {
  const { view } = useTable();
  const { last } = view;
  const own = ownLast(view);
  if (!last && !own) return html`<p class="verdict" />`;
  if (!isResult && !own?.counts) return html`<p class="verdict"><span>${own ? quietLine(own) : roundHeadline(last)}</span></p>`;
  if (!own) return html`<p class="verdict"><b>${roundHeadline(last)}</b><span>${view.reason}</span></p>`;
  const result = resultOf(own);
  return html`<p class=${`verdict verdict-${own.result}`}><b>${result.headline}</b><span>${howLine(own)} ${own.reason}</span>${own.goal && html`<span>${own.goal}</span>`}</p>`;
}

/** The viewer's card and what came of it; before the result the card that is chosen. */
function Mine({ isResult }) {
  const { view, state } = useTable();
  const own = ownLast(view);
  const isPast = isResult || Boolean(own?.counts);
  const move = isPast ? (own?.move ?? null) : choiceOf(state);
  const look = move ? `card card-${move}` : "card card-none";
  const hasCard = isPast ? Boolean(own) : Boolean(view.you?.is_in || view.guest);
  return html`<div class=${isPast && own ? `floor-mine is-${own.result}` : "floor-mine"}>
    ${hasCard && html`<span class=${`own-throw ${look}`}><span class="sr">Your card: </span><${Face} name=${move ?? "fist"} word=${move ? capital(move) : isPast ? "None" : "Yours"} /></span>`}
    <${Verdict} isResult=${isResult} /></div>`;
}

/** Under Team: how many of each team were on each move, the viewer's own team first. */
function Teams() {
  const { view } = useTable();
  const { teams } = view.last;
  const own = ownLast(view) ? view.you?.team : null;
  const [first, second] = own === 1 ? [1, 0] : [0, 1];
  const name = (team) => (own === null || own === undefined ? `Team ${team + 1}` : team === own ? "Your team" : "Other team");
  return html`<div class="floor-teams">${[first, second].map((team) => html`<section key=${team} class=${team === own ? "floor-team is-own" : "floor-team"} aria-label=${name(team)}><b>${name(team)}</b>${MOVES.map((move) => html`<span key=${move} class="num"><${Icon} name=${move} /><span class="sr">${move}</span>${shortCount(teams[team][move])}</span>`)}</section>`)}</div>`;
}

/** By name, for those whose streak shows it; under the buttons, which must not move. */
export function Seen() {
  const { view, state } = useTable();
  const live = view.state === "selecting" ? view.you?.live : null;
  if (!live) return null;
  const shown = (move) => live.names[move].filter((name) => !state.blocked.includes(name));
  return html`<section class="panel seen" aria-labelledby="seen-heading">
    <header class="panel-head"><h2 id="seen-heading">Who has chosen what so far</h2><span class="small muted">at most 50 names</span></header>
    <dl class="seen-names">${MOVES.map((move) => html`<div key=${move}><dt class=${`ink-${move}`}><${Icon} name=${move} />${capital(move)} <span class="num">${shortCount(live.counts[move])}</span></dt><dd>${shown(move).join(", ") || "–"}</dd></div>`)}</dl>
  </section>`;
}

export function Floor() {
  const { view, config } = useTable();
  const isResult = useLeft(view.shows_result_until) > 0 || config.replay === true;
  const live = !isResult && view.state === "selecting" ? (view.you?.live ?? null) : null;
  const own = ownLast(view);
  const counts = live?.counts ?? own?.counts ?? view.last?.counts ?? null;
  // The counts are without a guest, whose own result can differ from that of the move.
  const fared = (move) => (live || own?.counts || (!view.you && own?.move === move) ? null : fate(view.last, move));
  const column = (move) => html`<${Column} key=${move} move=${move} counts=${counts} fared=${fared(move)} isOwn=${!live && own?.move === move} />`;
  const mood = live ? " is-live" : isResult ? " is-result" : "";
  return html`<section class="floor-box" aria-label="The round"><div class=${`floor${mood}`}>
    <${Head} isResult=${isResult} />
    <p class="floor-caption">${caption(view, Boolean(live), isResult)}</p>
    <ul class="count-columns">${MOVES.map(column)}</ul>
    ${!live && !own?.counts && view.last?.teams && html`<${Teams} />`}
  </div></section>`;
}
