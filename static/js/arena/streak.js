// The viewer's streak and what it gives; the viewer's figures.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { signed } from "rr/board/wording";
import { bonuses } from "rr/arena/words";

const END = 5;
const STEPS = Array.from({ length: 2 * END + 1 }, (_, place) => place - END);
const MARKS = new Set([-5, -3, 3, 5]);

function Meter({ streak }) {
  const here = Math.max(-END, Math.min(END, streak));
  const isFilled = (step) => (step > 0 ? step <= here : step < 0 && step >= here);
  const look = (step) => ["step", isFilled(step) && (step > 0 ? "is-up" : "is-down"), MARKS.has(step) && "is-mark", step === 0 && "is-zero"].filter(Boolean).join(" ");
  return html`<div class="meter" aria-hidden="true">${STEPS.map((step) => html`<span key=${step} class=${look(step)}><i />${(MARKS.has(step) || step === 0) && html`<small class="num">${signed(step)}</small>`}</span>`)}</div>`;
}

function Bonus({ at, words, isOn }) {
  return html`<li class=${isOn ? "bonus is-on" : "bonus"}><b class="num">${at}</b><span>${words}</span>${isOn && html`<span class="tag tag-good"><${Icon} name="check" />now</span>`}</li>`;
}

function Health({ health }) {
  if (health === null) return null;
  return html`<p class="pill health"><span class="dots" aria-hidden="true">${[1, 2, 3].map((one) => html`<i class=${one <= health ? "dot dot-on" : "dot"} />`)}</span>Health <b class="num">${health}</b> of 3</p>`;
}

export function Streak() {
  const { view } = useTable();
  const { streak, health } = view.you;
  return html`<section class="panel streak" aria-labelledby="streak-heading">
    <header class="panel-head"><h2 id="streak-heading">Streak <span class=${`num ${streak > 0 ? "plus" : streak < 0 ? "minus" : ""}`}>${signed(streak)}</span></h2><${Health} health=${health} /></header>
    <${Meter} streak=${streak} />
    ${view.options.classic && html`<p class="pad small">Classic is on: a streak gives nothing this round.</p>`}
    <ul class="bonuses" aria-label="What a streak gives">${bonuses(view).map((bonus) => html`<${Bonus} key=${bonus.at} ...${bonus} />`)}</ul>
  </section>`;
}

function Figure({ word, value }) {
  return html`<div><dt>${word}</dt><dd class="num">${value}</dd></div>`;
}

const three = (...numbers) => numbers.map((number) => number.toLocaleString("en")).join(" · ");

export function Figures() {
  const { view, config, controls } = useTable();
  const { you } = view;
  return html`<section class="panel figures" aria-labelledby="figures-heading">
    <header class="panel-head"><h2 id="figures-heading">${config.name}</h2><a class="btn" href=${config.history_url}>Your rounds</a></header>
    <dl class="options pad">
      <${Figure} word="Score" value=${signed(you.score)} />
      <${Figure} word="Best streak" value=${you.best_streak} />
      <${Figure} word="Rounds won · lost · tied" value=${three(you.round_wins, you.round_losses, you.round_ties)} />
      <${Figure} word="Battles won · lost · tied" value=${three(you.wins, you.losses, you.ties)} />
    </dl>
    <p class="figures-end"><button type="button" class="btn btn-danger" onClick=${() => controls.open("reset")}><${Icon} name="rotate-ccw" />Reset all to 0</button></p>
    ${view.counts_on_boards === false && html`<p class="small muted pad">Fewer than 4 people are in: these rounds count for you, but on no leaderboard.</p>`}
  </section>`;
}
