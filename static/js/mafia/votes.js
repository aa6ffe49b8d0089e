// The votes of a day: its wagons at any moment, who has not voted, and every change.
import { html, useEffect, useState } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { filled } from "rr/board/said";
import { nameOf } from "rr/board/seats";
import { NO_VOTE, VOTES } from "rr/mafia/game";
import { useVotes } from "rr/mafia/history";
import { countWords, lastVote, timeWords, wagonText, wagonsAt } from "rr/mafia/wagons";

/** "votes for Ann", "takes the vote back". */
export function choiceWords(view, choice) {
  return choice === null ? NO_VOTE : filled(VOTES, { choice: choice === "none" ? "nobody" : nameOf(view, choice) });
}

/** The post before a vote, as a way to it. */
function Place({ change }) {
  const { controls } = useTable();
  if (!change.after) return null;
  return html`<button type="button" class="vote-place num" onClick=${() => controls.setUi({ room: "town", jump: change.after })}>#${change.after}<span class="sr">, the last post before</span></button>`;
}

function Wagon({ wagon, needed, name }) {
  const { choice, voters } = wagon;
  const isEnough = needed !== null && voters.length >= needed;
  return html`<li class=${isEnough ? "wagon is-enough" : "wagon"}>
    <p class="wagon-head"><b>${name(choice)}</b><span class="votes has-votes"><span class="num">${countWords(voters.length, needed)}</span></span></p>
    <ol class="wagon-voters">${voters.map((change) => html`<li key=${change.seat}><span>${name(change.seat)}</span><${Place} change=${change} /><time class="num muted" datetime=${change.at}>${timeWords(change.at)}</time></li>`)}</ol>
  </li>`;
}

function momentWords(day, count) {
  const change = day.cast[count - 1];
  const all = `${count} of ${day.cast.length}`;
  return change ? `After change ${all}, ${timeWords(change.at)}` : `Before the first of ${day.cast.length} changes`;
}

/** The scrubber of a day: the number of its changes that are shown. */
function Scrubber({ day, count, move }) {
  const words = momentWords(day, count);
  return html`<div class="scrubber"><label for="vote-moment" class="small muted">${words}</label>
    <input type="range" id="vote-moment" min="0" max=${day.cast.length} value=${count} aria-valuetext=${words} onInput=${(event) => move(Number(event.target.value))} /></div>`;
}

function Copy({ text }) {
  const [said, say] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      say("The browser does not allow copying.");
    }
  };
  return html`<p class="cluster"><button type="button" class="btn btn-small" onClick=${copy}><${Icon} name="copy" />Copy as text</button><span class="small muted" role="status">${said}</span></p>`;
}

function Change({ change }) {
  const { view } = useTable();
  const words = change.is_death ? "is dead" : choiceWords(view, change.choice);
  return html`<li><b>${nameOf(view, change.seat)}</b> ${words} <${Place} change=${change} /> <time class="num muted" datetime=${change.at}>${timeWords(change.at)}</time></li>`;
}

/** count: the changes that are shown; null follows what happens. */
function Day({ day, count, move }) {
  const { view } = useTable();
  const name = (choice) => (choice === "none" ? "Nobody" : nameOf(view, choice));
  const shown = Math.min(count ?? lastVote(day), day.cast.length);
  const now = wagonsAt(day, shown);
  return html`${day.cast.length > 0 && html`<${Scrubber} day=${day} count=${shown} move=${move} />`}
    <ol class="wagons">${now.wagons.map((wagon) => html`<${Wagon} key=${wagon.choice} wagon=${wagon} needed=${now.needed} name=${name} />`)}</ol>
    ${now.silent.length > 0 && html`<p><b>Not voting (${now.silent.length}):</b> ${now.silent.map(name).join(", ")}</p>`}
    ${now.needed !== null && html`<p class="small muted">${now.living.length} alive, ${now.needed} votes decide.</p>`}
    <${Copy} text=${wagonText(`${view.match.title}, day ${day.round}: ${momentWords(day, shown).toLowerCase()}`, now, name)} />
    ${day.cast.length > 0 && html`<details class="vote-changes"><summary>All changes</summary><ol class="vote-lines">${day.cast.map((change, place) => html`<${Change} key=${place} change=${change} />`)}</ol></details>`}`;
}

export function VoteHistory() {
  const { days, hasFailed } = useVotes();
  const [round, choose] = useState(null);
  const [count, move] = useState(null);
  const day = days?.find((one) => one.round === round) ?? days?.at(-1);
  useEffect(() => move(null), [day?.round]);
  // At the end of the day the scrubber follows again what happens.
  const follow = (to) => move(to === day.cast.length && !day.is_over ? null : to);
  return html`<div class="feed vote-history" tabindex="0" role="region" aria-label="Votes by day">
    ${hasFailed && html`<p class="notice notice-error">The votes do not come at the moment.</p>`}
    ${days?.length > 1 && html`<div class="cluster vote-days" role="group" aria-label="Day">${days.map((one) => html`<button key=${one.round} type="button" class="chip" aria-pressed=${one === day} onClick=${() => choose(one.round)}>Day ${one.round}</button>`)}</div>`}
    ${day && html`<h3>Day ${day.round}</h3><${Day} day=${day} count=${count} move=${follow} />`}
    ${!day && !hasFailed && html`<p class="muted pad">Nobody has voted yet. Every vote, and every change of mind, is kept here.</p>`}
  </div>`;
}
