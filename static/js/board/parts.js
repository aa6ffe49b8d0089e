// Small pieces that several parts of the board use.
import { createContext, html, useContext, useEffect, useLayoutEffect, useRef, useState } from "preact";
import { Icon } from "rr/icon";
import { BotFace, faceOf } from "rr/board/bot-face";
import { goTo } from "rr/board/focus";
import { seconds, spanText } from "rr/board/clock";
import { initials } from "rr/board/seats";
import { signed } from "rr/board/wording";

export const Table = createContext(null);

/**
 * A text of people, which a browser's translator may replace: it is written once, since Preact would put
 * its own beside the translated one at each redraw.
 */
export function Words({ as = "span", text, ...more }) {
  const place = useRef(null);
  useLayoutEffect(() => {
    place.current.textContent = text;
  }, [text]);
  return html`<${as} ref=${place} translate="yes" ...${more} />`;
}

/** {state, view, ui, controls, clock, config, rematch} of the board around. */
export function useTable() {
  const table = useContext(Table);
  return { ...table, view: table.state.view, ui: table.state.ui };
}

/** Scroll and go to the ending for viewers who saw the game end; those who come later stay at the top. */
export function useInSight() {
  const { state } = useTable();
  const element = useRef(null);
  useEffect(() => {
    if (!state.sawEnd) return;
    goTo(element.current.querySelector("h2"));
    const { top } = element.current.getBoundingClientRect();
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    if (top < 0 || top > innerHeight * 0.75) element.current.scrollIntoView({ block: "center", behavior });
  }, [state.sawEnd]);
  return element;
}

/** A button that acts; pending while its kind of action waits for an answer. */
export function ActButton({ kind, class: look = "btn", onPress, disabled, children, label, pressed }) {
  const { state } = useTable();
  const isPending = state.pending.has(kind);
  const isLate = state.late.has(kind);
  const press = (event) => {
    letGo(event);
    if (!isPending) onPress();
  };
  // Not disabled while it waits: the focus stays.
  return html`<button type="button" class=${look} aria-busy=${isPending} aria-disabled=${isPending || undefined} aria-label=${label} aria-pressed=${pressed}
    disabled=${disabled} onClick=${press}>${children}${isLate && html` <small class="late">not sent yet</small>`}</button>`;
}

/**
 * After a press with a pointer the focus goes back to the page, so that Enter is the game's key
 * and does not press the same button again. Keyboard users keep the focus.
 */
export function letGo(event) {
  if (event.detail > 0) event.currentTarget.blur();
}

/** Milliseconds left until an instant of the server's; looks again a few times a second. */
export function useLeft(dueAt) {
  const { clock } = useTable();
  const look = () => (dueAt ? clock().left(dueAt, Date.now()) : null);
  const [, again] = useState(0);
  useEffect(() => {
    if (!dueAt) return undefined;
    const timer = setInterval(() => again((count) => count + 1), 200);
    return () => clearInterval(timer);
  }, [dueAt]);
  return look();
}

const ROUND = 2 * Math.PI * 42;

/** The clock: a ring and a number; `short` is from when on it looks pressing, in milliseconds. */
export function Ring({ dueAt, limit, label, short = 5000 }) {
  const left = useLeft(dueAt);
  if (left === null) return null;
  const share = limit ? Math.min(1, left / limit) : 0;
  const length = left <= short ? " ring-short" : left > 59_000 ? " ring-long" : "";
  return html`<div class=${`ring${length}`} role="timer" aria-label=${label}>
    <svg viewBox="0 0 100 100" aria-hidden="true"><circle class="ring-back" cx="50" cy="50" r="42" /><circle class="ring-left" cx="50" cy="50" r="42" stroke-dasharray=${`${share * ROUND} ${ROUND}`} transform="rotate(-90 50 50)" /></svg>
    <span class="num">${spanText(left)}</span>
  </div>`;
}

/** The seconds in a line of text, for the dock; `note`: what happens at the end. */
export function Countdown({ dueAt, short = 5000, note = "" }) {
  const left = useLeft(dueAt);
  if (left === null) return null;
  return html`<span class=${left <= short ? "count count-short" : "count"}><span class="num">${spanText(left)}</span>${left <= 59_000 ? " s" : ""}${note && html`<small> · ${note}</small>`}</span>`;
}

/** The one live region of a board: what happens, in order, and 10 and 5 seconds once each; `note`: what happens at the end. */
export function Announcer({ dueAt, isMine, note = "" }) {
  const { state } = useTable();
  const left = useLeft(isMine ? dueAt : null);
  const said = useRef({ dueAt: null, words: "" });
  if (said.current.dueAt !== dueAt) said.current = { dueAt, words: "" };
  const now = left === null ? null : seconds(left);
  if (now !== null && now <= 5 && now > 0) said.current.words = `5 seconds left${note && `: ${note}`}`;
  else if (now !== null && now <= 10 && now > 5) said.current.words = `10 seconds left${note && `: ${note}`}`;
  return html`<div class="sr" role="log" aria-label="News">${state.told.map(({ key, text }) => html`<p key=${key}>${text}</p>`)}</div><div class="sr" role="alert">${said.current.words}</div>`;
}

/** The face of a card: picture, word, and where it goes a note. */
export function Face({ name, word, note }) {
  return html`<${Icon} name=${name} /><b>${word}</b>${note && html`<small>${note}</small>`}`;
}

/** A dialog over the page. It closes on Escape and restores the focus. */
export function Dialog({ title, onClose, children, look = "" }) {
  const element = useRef(null);
  useEffect(() => {
    element.current.showModal();
    return () => element.current?.close();
  }, []);
  return html`<dialog ref=${element} class=${`dialog ${look}`} aria-label=${title} onClose=${onClose}
    onClick=${(event) => event.target === element.current && onClose()}>
    <div class="dialog-body"><header><h2>${title}</h2><button type="button" class="btn btn-icon" aria-label="Close" onClick=${onClose}><${Icon} name="x" /></button></header>${children}</div>
  </dialog>`;
}

/** A short question about what cannot be undone; `ui.ask` says which, and passes with the phase. */
export function Question({ title, yes, no, isBad, onYes, children }) {
  const { state, controls } = useTable();
  if (state.link === "ended") return null; // the board stays inert: no button of it could answer
  const close = () => controls.setUi({ ask: null });
  return html`<${Dialog} title=${title} onClose=${close}>
    <p>${children}</p>
    <div class="form-end"><button type="button" class="btn" onClick=${close}>${no}</button><button type="button" class=${isBad ? "btn btn-danger" : "btn btn-brass"} onClick=${onYes}>${yes}</button></div>
  <//>`;
}

/** The unit of this table: points, or chips at practice tables. */
export function useUnit() {
  return useTable().config?.practice ? "chips" : "points";
}

const AVATARS = globalThis.document ? document.documentElement.dataset.avatars : "";

/** A player's picture at every seat and in every list: as partials/avatar.html, but a bot with its own face. */
export function Avatar({ player }) {
  const { config } = useContext(Table);
  if (player?.bot || player?.avatar === "robot") return html`<${BotFace} ...${faceOf(player.name, config.bots)} />`;
  if (!player?.avatar) return initials(player?.name ?? "?");
  return html`<svg class="portrait" aria-hidden="true" focusable="false"><use href=${`${AVATARS}#${player.avatar}`}></use></svg>`;
}

export function Points({ amount }) {
  return html`<span class="points"><${Icon} name="coins" /><b class="num">${amount}</b></span>`;
}

/** A seat's rating in a result, with its change; of an old scale the change alone, which says so. */
export function RatingCell({ chair }) {
  const { view } = useTable();
  const isOld = view.match.old_scale;
  const change = chair.rating_change;
  const look = change > 0 ? "plus" : change < 0 ? "minus" : "";
  const isKnown = change !== null && change !== undefined;
  return html`<td class="num right">${isOld && isKnown ? "" : chair.player?.rating ?? "–"}${isKnown && html` <span class=${look}>${change === 0 ? "±0" : signed(change)}</span>`}${isOld && isKnown && html`<br /><small class="muted">old scale</small>`}</td>`;
}
