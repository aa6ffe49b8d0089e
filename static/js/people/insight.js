// The viewer's habits in a finished game, after a win, a loss and a tie, in the server's words.
import { html, useEffect, useState } from "preact";
import { useTable } from "rr/board/parts";

export function Insight() {
  const { view, config } = useTable();
  const [lines, setLines] = useState([]);
  const { public_id: match } = view.match;
  const hasPlayed = Boolean(config.name) && !config.practice && !config.replay && view.you.seat !== null;
  useEffect(() => {
    if (!hasPlayed) return;
    const ask = async () => {
      const answer = await fetch(`/matches/${match}/insight.json`);
      if (answer.ok) setLines((await answer.json()).lines);
    };
    ask().catch(() => {}); // offline: the page works without it
  }, [match, hasPlayed]);
  if (!lines.length) return null;
  return html`<section class="insight" aria-labelledby="insight-heading"><h3 id="insight-heading">Your habits</h3>
    <ul class="facts">${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul></section>`;
}
