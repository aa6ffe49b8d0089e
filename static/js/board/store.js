// All the board knows, in one value; the components only draw it. Pure: no page, no socket.

import { FRESH_UI } from "rr/board/controls";

const FEED_KEPT = 200;
const CHAT_KEPT = 200;

/** What was turned over last, with its number: a round of Showdown, a throw of a duel. */
export function latest(game) {
  const thrown = game?.throws?.at(-1);
  return thrown ? { ...thrown, round: thrown.throw } : (game?.last_round ?? null);
}

/** A fresh state for one match. */
export function fresh(view) {
  return {
    view,
    link: "connecting", // connecting | open | lost | ended
    linkText: "",
    pending: new Set(),
    feed: feedOf(view, []),
    chat: [],
    unread: 0,
    toasts: [],
    revealed: latest(view.game)?.round ?? 0, // newest round whose battles were shown
    reveal: null, // the round on show over the felt
    sawEnd: false, // whether the game ended before the viewer's eyes
    ui: { ...FRESH_UI },
  };
}

/** Onlookers share one view; who is logged in knows the own name and points from the page. */
export function asMine(view, own) {
  if (view.you.name !== null || own.name === null) return view;
  return { ...view, you: { ...view.you, name: own.name, balance: own.balance } };
}

/** Log lines not seen yet go behind what is there; replies keep their place. */
export function feedOf(view, feed) {
  const newest = feed.reduce((most, entry) => Math.max(most, entry.n ?? -1), -1);
  const lines = view.log.filter((line) => line.n > newest).map((line) => ({ ...line, type: "log" }));
  return [...feed, ...lines].slice(-FEED_KEPT);
}

/** A reply or the echo of a typed command, for this viewer only. */
export function withReply(state, type, text) {
  const entry = { type, text, key: `${type}${state.feed.length}${text}` };
  return { ...state, feed: [...state.feed, entry].slice(-FEED_KEPT) };
}

export function withView(state, view) {
  const round = latest(view.game);
  const isNew = Boolean(round) && round.round > state.revealed;
  const isEnd = Boolean(view.game?.result) && Boolean(state.view.game) && !state.view.game.result;
  return {
    ...state,
    view,
    feed: feedOf(view, state.feed),
    revealed: isNew ? round.round : state.revealed,
    reveal: isNew ? round : state.reveal,
    sawEnd: state.sawEnd || isEnd,
  };
}

/** One line of chat; the same number in the same room comes only once. */
export function withSaid(state, frame, isOpen) {
  if (state.chat.some((said) => said.no === frame.no && said.room === frame.room)) return state;
  const chat = [...state.chat, frame].sort((a, b) => a.no - b.no).slice(-CHAT_KEPT);
  return { ...state, chat, unread: isOpen ? 0 : state.unread + 1 };
}

/** A tiny observable: get, set, subscribe. */
export class Store {
  #state;
  #listeners = new Set();

  constructor(state) {
    this.#state = state;
  }

  get state() {
    return this.#state;
  }

  change(update) {
    const next = update(this.#state);
    if (next === this.#state) return;
    const before = this.#state;
    this.#state = next;
    for (const listener of this.#listeners) listener(next, before);
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
