// The choices of a reader of a room: a phase, words, the votes between the posts.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { lastPhase } from "rr/mafia/game";
import { phaseName } from "rr/mafia/posts";
import { choiceWords } from "rr/mafia/votes";
import { countWords, timeWords } from "rr/mafia/wagons";

/** The phases until now, as buttons; 0 is all of them. */
export function PhaseTabs({ value, choose }) {
  const { view, config } = useTable();
  const last = lastPhase(view);
  if (last < 2) return null;
  const phases = [0, ...Array.from({ length: last }, (_, place) => place + 1)];
  return html`<div class="thread-phases" role="group" aria-label="Phase">${phases.map((phase) => html`<button key=${phase} type="button" class="chip" aria-pressed=${phase === value} onClick=${() => choose(phase)}>${phase ? phaseName(phase, config.first_stage) : "All"}</button>`)}</div>`;
}

export function Search({ value, write }) {
  return html`<label class="thread-search"><span class="sr">Search the posts</span><input type="search" dir="auto" value=${value} onInput=${(event) => write(event.target.value)} placeholder="Search" autocomplete="off" spellcheck="false" /></label>`;
}

export function VotesSwitch({ isOn, toggle }) {
  return html`<button type="button" class="chip" aria-pressed=${isOn} onClick=${toggle}>Votes</button>`;
}

/** A vote between the posts, with the size that its wagon had then. */
export function VoteLine({ change }) {
  const { view } = useTable();
  return html`<li class="post-vote"><${Icon} name="check" /><span><b>${nameOf(view, change.seat)}</b> ${choiceWords(view, change.choice)}</span>
    ${change.choice !== null && html`<span class="votes"><span class="num">${countWords(change.size, change.needed)}</span></span>`}<time class="num muted" datetime=${change.at}>${timeWords(change.at)}</time></li>`;
}
