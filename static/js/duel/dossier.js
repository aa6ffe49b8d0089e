// The habits of the opponent, as the site writes them, and the question whether the viewer's are shown.
import { html, useEffect, useState } from "preact";
import { useTable } from "rr/board/parts";

const ADDRESS = "/duels/habits/";
const ASKED_FROM = 15; // throws

const isSeated = ({ you }, config) => Boolean(config.name) && !config.practice && !config.replay && you.seat !== null;

/** The name of the person against whom the viewer plays; null in a replay, and for who watches. */
export function opponentOf(view, config) {
  const other = isSeated(view, config) && view.seats.find((chair) => chair.no !== view.you.seat)?.player;
  return other && !other.bot ? other.name : null;
}

/** Beside the opponent's seat, folded; it is filled when it is opened (`rr/site`). */
export function Dossier({ name }) {
  return html`<details class="menu seat-habits" data-menu data-part=${`${ADDRESS}${encodeURIComponent(name)}/`}><summary>Habits<span class="sr"> of ${name}</span></summary><div class="menu-box" tabindex="0" role="region" aria-label=${`Habits of ${name}`} /></details>`;
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
    <span><b>Show your habits?</b> What you throw at Duel, to players who show theirs. You see theirs too.
      <label class="check"><input type="checkbox" name="known" /><span>Let one bot know them</span></label></span>
    <span class="cluster"><button class="btn" type="submit" name="shows">Show</button> <button class="btn" type="submit" name="hides">No</button></span>
  </form>`;
}
