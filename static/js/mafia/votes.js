// All votes, day by day, from the site's journal.
import { html, useEffect, useState } from "preact";
import { useTable } from "rr/board/parts";
import { filled } from "rr/board/said";
import { nameOf } from "rr/board/seats";
import { NO_VOTE, VOTES } from "rr/mafia/game";
import { read } from "rr/mafia/posts";

function choiceWords(view, choice) {
  return choice === null ? NO_VOTE : filled(VOTES, { choice: choice === "none" ? "nobody" : nameOf(view, choice) });
}

/** A text that changes with every vote: then the history is read again. */
function marker(game) {
  return `${game.phase}/${JSON.stringify(game.seats.map((seat) => seat.vote))}`;
}

function Day({ day, view }) {
  return html`<h3>Day ${day.round}</h3>
    <ol class="vote-lines">${day.votes.map(([seat, choice], place) => html`<li key=${place}><b>${nameOf(view, seat)}</b> ${choiceWords(view, choice)}</li>`)}</ol>`;
}

export function VoteHistory() {
  const { view, config } = useTable();
  const [days, show] = useState(null);
  const [problem, tell] = useState(false);
  const mark = view.game ? marker(view.game) : "";
  useEffect(() => {
    if (!mark) return undefined;
    let isGone = false;
    read(config.votes_url, "").then((answer) => {
      if (!isGone) show(answer.days);
      tell(false);
    }).catch(() => tell(true));
    return () => {
      isGone = true;
    };
  }, [mark]);
  return html`<div class="feed vote-history" tabindex="0" role="region" aria-label="Votes by day">
    ${problem && html`<p class="notice notice-error">The votes do not come at the moment.</p>`}
    ${!days?.length && !problem && html`<p class="muted pad">Nobody has voted yet. Every vote, and every change of mind, is kept here.</p>`}
    ${[...(days ?? [])].reverse().map((day) => html`<${Day} key=${day.round} day=${day} view=${view} />`)}
  </div>`;
}
