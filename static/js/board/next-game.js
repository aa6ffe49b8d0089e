// The way to the next game that waits, once this one does not.
import { html, useEffect, useState } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { isGame } from "rr/news";

const LIVE = 5 * 60_000;

/** The number of other games that wait: from the page's bell, then from the user's own line. */
function useOthers() {
  const [count, follow] = useState(() => [...document.querySelectorAll("[data-bell-list] a")].filter((link) => isGame(link.getAttribute("href"))).length);
  useEffect(() => {
    const hear = (event) => follow(event.detail.games);
    document.addEventListener("rr:needs", hear);
    return () => document.removeEventListener("rr:needs", hear);
  }, []);
  return count;
}

export function NextGame() {
  const { view, config, isMine, clock } = useTable();
  const count = useOthers();
  if (!config.next_url || isMine || !count) return null;
  // At a game of one sitting one stays until it is over.
  if (view.due_at && clock().left(view.due_at, Date.now()) < LIVE) return null;
  return html`<a class="btn btn-brass next-game" href=${`${config.next_url}?after=${view.match.public_id}`}><span class="sr">Next game, </span><span class="only-wide" aria-hidden="true">Next game</span><span class="num">${count}</span><span class="sr"> waiting</span><${Icon} name="chevron-right" /></a>`;
}
