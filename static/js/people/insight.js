// The viewer's goals and habits in a finished game, in the server's words.
import { html, useEffect, useState } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";

export function Insight() {
  const { view, config } = useTable();
  const [{ goal, lines }, setFound] = useState({ goal: "", lines: [] });
  const { public_id: match } = view.match;
  const hasPlayed = Boolean(config.name) && !config.practice && !config.replay && view.you.seat !== null;
  useEffect(() => {
    if (!hasPlayed) return;
    const ask = async () => {
      const answer = await fetch(`/matches/${match}/insight.json`);
      if (answer.ok) setFound(await answer.json());
    };
    ask().catch(() => {}); // offline: the page works without it
  }, [match, hasPlayed]);
  return html`${goal && html`<p class="notice" role="status"><${Icon} name="check" /> ${goal}</p>`}
    ${lines.length > 0 && html`<section class="insight" aria-labelledby="insight-heading"><h3 id="insight-heading">Your habits</h3>
    <ul class="facts">${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul></section>`}`;
}
