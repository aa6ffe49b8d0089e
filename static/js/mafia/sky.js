// Night and day over the whole page: its colours, dusk and dawn, and the town with its windows.
import { html, useEffect, useRef, useState } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { ownChoice } from "rr/mafia/game";

/** The number of houses of different shape. */
const SHAPES = [
  { path: "M2 80 V42 L24 20 L46 42 V80 Z", window: [18, 48] },
  { path: "M6 80 V30 H42 V80 Z M10 30 V22 H16 V30 Z", window: [18, 42] },
  { path: "M4 80 V50 H44 V80 Z M14 50 V26 L24 8 L34 26 V50 Z", window: [18, 30] },
  { path: "M2 80 V46 L14 30 H34 L46 46 V80 Z", window: [18, 50] },
  { path: "M8 80 V34 L24 24 L40 34 V80 Z M30 28 V14 H36 V32 Z", window: [18, 44] },
];

/** The houses in seat order: whose light is on, which is the viewer's, which is the target of the night. */
export function housesOf(view) {
  const { game, you } = view;
  const target = game.stage === "night" ? ownChoice(view) : null;
  return game.seats.map(({ no, is_alive: isLit }) => ({ no, shape: (no * 3 + 1) % SHAPES.length, isLit, isMine: no === you.seat, isTarget: no === target }));
}

function House({ house, mark }) {
  const { path, window: [x, y] } = SHAPES[house.shape];
  const marks = ["house", house.isLit && "is-lit", house.isMine && "is-mine", house.isTarget && "is-target"].filter(Boolean).join(" ");
  return html`<span class=${marks}>${house.isTarget && html`<${Icon} name=${mark} />`}<svg viewBox="0 0 48 80" focusable="false"><path class="wall" d=${path} /><rect class="window" x=${x} y=${y} width="12" height="14" rx="1.5" /><path class="cross" d=${`M${x + 6} ${y} V${y + 14} M${x} ${y + 7} H${x + 12}`} /></svg></span>`;
}

/** Decoration: the list of the citizens says the same. mark: the picture at the target of the night. */
export function Skyline({ mark }) {
  const { view } = useTable();
  return html`<div class="skyline" aria-hidden="true">${housesOf(view).map((house) => html`<${House} key=${house.no} house=${house} mark=${mark} />`)}</div>`;
}

/** Gives the page the colours of a stage; a change between night and day takes a second. */
export function Sky({ stage }) {
  const last = useRef(stage);
  const [turning, turn] = useState(null);
  useEffect(() => {
    document.documentElement.dataset.stage = stage;
    if (last.current !== stage && ["night", "day"].includes(stage)) turn(stage);
    last.current = stage;
  }, [stage]);
  return turning && html`<div key=${turning} class=${`sky sky-${turning}`} aria-hidden="true" onAnimationEnd=${() => turn(null)} />`;
}
