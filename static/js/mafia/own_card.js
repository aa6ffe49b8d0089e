// The own card at the start: it turns; a press, a key or some seconds close it.
import { html, useEffect, useRef, useState } from "preact";
import { useTable } from "rr/board/parts";

/** Milliseconds: about the time to read three short lines twice. */
const SHOWN = 7000;

function keyOf({ match, you }) {
  return `rr.card.${match.public_id}.${you.seat}`;
}

/** Whether the viewer sees this card for the first time: at the start, or as a substitute. */
export function isNewCard(view, hasSeen) {
  const { game, you, match } = view;
  if (match.status !== "running" || !game?.you?.is_alive) return false;
  const isSubstitute = view.seats[you.seat]?.replaced?.length > 0;
  return (game.phase === 1 || isSubstitute) && !hasSeen(keyOf(view));
}

function hasSeen(key) {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function keepSeen(key) {
  try {
    localStorage.setItem(key, "seen");
  } catch {
    // It is shown again at the next visit.
  }
}

function Turning({ face, onClose }) {
  const element = useRef(null);
  useEffect(() => {
    element.current.showModal();
    const timer = setTimeout(onClose, SHOWN);
    return () => {
      clearTimeout(timer);
      element.current?.close();
    };
  }, []);
  return html`<dialog ref=${element} class="own-card" aria-label="Your card" onClose=${onClose} onClick=${onClose}>
    <div class=${`turning-card ${face.look}`}>
      <span class="card-back" aria-hidden="true" />
      <div class="card-face">
        <span class="card-picture">${face.picture}</span>
        <p class="small muted">You are</p><h2>${face.title}</h2>
        <p class="card-goal">${face.goal}</p><p class="small">${face.tip}</p>
        <button type="button" class="btn btn-brass" onClick=${onClose}>To the town</button>
      </div>
    </div>
  </dialog>`;
}

/** face: {look, picture, title, goal, tip} of a card, of which the picture is drawn. */
export function OwnCard({ faceOf }) {
  const { view, config } = useTable();
  const [closed, close] = useState(null);
  const key = keyOf(view);
  if (config.replay || closed === key || !isNewCard(view, hasSeen)) return null;
  const onClose = () => {
    keepSeen(key);
    close(key);
  };
  return html`<${Turning} key=${key} face=${faceOf(view)} onClose=${onClose} />`;
}
