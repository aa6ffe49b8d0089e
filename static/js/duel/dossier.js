// The habits of the opponent, as the site writes them, and the question whether the viewer's are shown.
import { html, useEffect, useState } from "preact";
import { useTable } from "rr/board/parts";
import { ASKED } from "rr/people/person";

const ADDRESS = "/duels/habits/";
const LOST = '<p class="muted pad">That did not work.</p>';
const ASKED_FROM = 15; // throws

const isSeated = ({ you }, config) => Boolean(config.name) && !config.practice && !config.replay && you.seat !== null;

/** The name of the person against whom the viewer plays; null in a replay, and for who watches. */
export function opponentOf(view, config) {
  const other = isSeated(view, config) && view.seats.find((chair) => chair.no !== view.you.seat)?.player;
  return other && !other.bot ? other.name : null;
}

export function Dossier() {
  const { view, config } = useTable();
  const [part, show] = useState("");
  const name = opponentOf(view, config);
  useEffect(() => {
    const ask = async () => {
      const answer = await fetch(`${ADDRESS}${encodeURIComponent(name)}/`, { headers: ASKED });
      show(answer.ok && !answer.redirected ? await answer.text() : LOST);
    };
    ask().catch(() => show(LOST));
  }, [name]);
  return html`<div class="feed" tabindex="0" role="region" aria-label=${`Habits of ${name}`} dangerouslySetInnerHTML=${{ __html: part }}></div>`;
}

/** Asked after a long enough duel, until it is answered. */
export function HabitsQuestion() {
  const { view, config } = useTable();
  const [isAsking, asks] = useState(false);
  const mayAsk = isSeated(view, config) && view.game.throw >= ASKED_FROM;
  useEffect(() => {
    if (!mayAsk) return;
    const look = async () => asks((await (await fetch(ADDRESS)).json()).asks);
    look().catch(() => {}); // offline: it is asked after another duel
  }, [mayAsk]);
  if (!isAsking) return null;
  const send = (event) => {
    event.preventDefault();
    asks(false);
    fetch(ADDRESS, { method: "POST", body: new FormData(event.target, event.submitter) }).catch(() => asks(true));
  };
  return html`<form class="notice habits-question" onSubmit=${send}><input type="hidden" name="csrfmiddlewaretoken" value=${config.csrf} />
    <span><b>Show your habits?</b> What you throw at Duel, to players who show theirs. You see theirs too.</span>
    <span class="cluster"><button class="btn" type="submit" name="shows">Show</button> <button class="btn" type="submit" name="hides">No</button></span>
  </form>`;
}
