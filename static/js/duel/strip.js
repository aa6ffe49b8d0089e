// The analysis of a finished duel: what a reader expected of each throw, in the site's words.
import { html, useEffect, useRef, useState } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { callName } from "rr/board/seats";
import { isTurning, sidesOf } from "rr/duel/game";
import { HANDS } from "rr/duel/words";

const TALL = 24; // of a bar of 100 %
const MARKS = { 1: "eye", 0: "", [-1]: "x" };

/** Whether the analysis may be asked for: the duel is over, and its last cards lie open. Pure. */
export function isTold({ config, view, state }) {
  return !config.practice && Boolean(config.replay || (view.game?.result && !isTurning(state.reveal)));
}

/** The sides as they stand on the board, each with what is said of it to this viewer. Pure. */
export function sidesFor(view, { sides }) {
  return sidesOf(view).map((no) => ({ ...sides[no], said: no === view.you.seat ? sides[no].own_lines : sides[no].lines }));
}

function Bars({ expected, hand }) {
  return html`<svg class="strip-bars" viewBox=${`0 0 30 ${TALL}`} focusable="false">
    ${HANDS.map((each, place) => html`<rect key=${each} class=${`bar-${each}${each === hand ? " is-thrown" : ""}`} x=${10 * place + 1} y=${TALL * (1 - expected[each])} width="8" height=${TALL * expected[each]} />`)}
  </svg>`;
}

function Cell({ cell, isNow }) {
  const mark = MARKS[cell.read];
  return html`<td class=${isNow ? "is-now" : ""}><span class="sr">${cell.text}</span><span class="strip-cell" aria-hidden="true" title=${cell.text}>
    <${Bars} ...${cell} /><${Icon} name=${cell.hand ?? "ban"} class=${cell.hand ? `ink-${cell.hand}` : ""} /><span class=${`strip-mark is-${mark}`}>${mark && html`<${Icon} name=${mark} />`}</span>
  </span></td>`;
}

export function Strip() {
  const { view, config, state } = useTable();
  const [found, setFound] = useState(null);
  const box = useRef(null);
  const now = config.replay ? view.game?.throws.at(-1)?.throw : null;
  const { public_id: match } = view.match;
  const isAsked = isTold({ config, view, state });
  useEffect(() => {
    let isWanted = isAsked;
    setFound(null);
    const ask = async () => {
      const answer = await fetch(`/matches/${match}/analysis.json`);
      const told = answer.ok ? await answer.json() : null;
      if (isWanted) setFound(told);
    };
    if (isAsked) ask().catch(() => {}); // offline: the page works without it
    return () => (isWanted = false);
  }, [match, isAsked]);
  useEffect(() => {
    const cell = box.current?.querySelector("[aria-current]");
    if (cell) box.current.scrollLeft = cell.offsetLeft - box.current.clientWidth / 2;
  }, [found, now]);
  if (!found) return null;
  const sides = sidesFor(view, found);
  return html`<section class="panel strip" aria-labelledby="strip-heading">
    <header class="panel-head"><h2 id="strip-heading">Analysis</h2></header>
    <div class="pad">${sides.map(({ seat, said }) => html`<ul key=${seat} class="facts">${said.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`)}
    <p class="small muted">A reader expects each throw from those before it, and replies with the hand that wins most above what it loses. <span class="strip-mark is-eye"><${Icon} name="eye" /></span> its reply would have won, <span class="strip-mark is-x"><${Icon} name="x" /></span> lost.</p></div>
    <div class="scroll-x" ref=${box} tabindex="0" role="region" aria-label="Throws as they were read"><table>
      <thead><tr><th scope="col">Throw</th>${sides[0].cells.map((cell) => html`<th key=${cell.throw} scope="col" class="num" aria-current=${cell.throw === now ? "step" : undefined}>${cell.throw}</th>`)}</tr></thead>
      <tbody>${sides.map(({ seat, cells }) => html`<tr key=${seat}><th scope="row">${callName(view, seat)}</th>${cells.map((cell) => html`<${Cell} key=${cell.throw} cell=${cell} isNow=${cell.throw === now} />`)}</tr>`)}</tbody>
    </table></div>
  </section>`;
}
