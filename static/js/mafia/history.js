// The history of votes, read from the site whenever somebody votes: once for all who show it.
import { useEffect, useState } from "preact";
import { useTable } from "rr/board/parts";
import { read } from "rr/mafia/posts";
import { changesOf } from "rr/mafia/wagons";

let last = { mark: "", answer: null };

/** A text that changes with every vote and every phase: then the history is read again. */
function marker(game) {
  return game ? `${game.phase}/${JSON.stringify(game.seats.map(({ vote, is_alive: isAlive }) => [vote, isAlive]))}` : "";
}

function ask({ votes_url: url, first_stage: first }, mark) {
  if (last.mark !== mark) {
    const answer = read(url, "").then(({ days }) => ({ days, changes: changesOf(days, first) }));
    last = { mark, answer };
    // After a failure it is asked for again.
    answer.catch(() => {
      if (last.answer === answer) last = { mark: "", answer: null };
    });
  }
  return last.answer;
}

/** {days, changes, hasFailed}; days is null until they are there, and while they are not wanted. */
export function useVotes(isWanted = true) {
  const { view, config } = useTable();
  const [history, show] = useState({ days: null, changes: [] });
  const [hasFailed, tell] = useState(false);
  const mark = isWanted && marker(view.game);
  useEffect(() => {
    if (!mark) return undefined;
    let isGone = false;
    ask(config, mark).then((found) => {
      if (isGone) return;
      show(found);
      tell(false);
    }).catch(() => tell(true));
    return () => {
      isGone = true;
    };
  }, [mark]);
  return { ...history, hasFailed };
}
