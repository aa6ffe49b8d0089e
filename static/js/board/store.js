// All the board knows, in one value; the components only draw it. Pure: no page, no socket.

/** The interface state of every board; a game may add more. */
export const FRESH_UI = { dialog: null, tab: "log" };

const FEED_KEPT = 200;
const CHAT_KEPT = 200;
/** The lines that the board's one live region still holds. */
const TOLD_KEPT = 6;
/** The line that a game starts in a moment: told again whenever the start is put off. */
const STARTS = "start_scheduled";

/**
 * The game's part of the store: the last reveal in the game's view, as an object with a `number`
 * (null if there is none), its further interface state (`ui`), and the part of it that is reset
 * with each phase (`passing`).
 */
export const PLAIN = { latest: () => null, ui: {}, passing: [] };

/** A fresh state for one match. */
export function fresh(view, game = PLAIN) {
  return {
    view,
    link: "connecting", // connecting | open | lost | ended
    linkText: "",
    linkWay: "", // the way out of an end
    pending: new Set(),
    late: new Set(), // what has had no answer for a while
    feed: feedOf(view, []),
    replies: 0, // how many lines only this viewer has got
    chat: [],
    told: [], // the newest lines for screen readers, in order
    unread: 0,
    toasts: [],
    revealed: game.latest(view.game)?.number ?? 0, // the newest that was shown
    reveal: null, // what is on show
    wasLost: false, // whether an earlier practice game is gone
    sawEnd: false, // whether the game ended before the viewer's eyes
    ui: { ...FRESH_UI, ...game.ui },
  };
}

/** Spectators share one view; a user's name and points come with the page. */
export function asMine(view, own) {
  if (view.you.name !== null || own.name === null) return view;
  return { ...view, you: { ...view.you, name: own.name, balance: own.balance } };
}

/** Log lines not seen yet go behind what is there, each sentence once; replies keep their place. */
export function feedOf(view, feed) {
  const match = view.match.public_id;
  const newest = feed.reduce((most, entry) => (entry.match === match ? Math.max(most, entry.n) : most), -1);
  const lines = view.log.filter((line) => line.n > newest).map((line) => ({ ...line, type: "log", match, key: `${match}/${line.n}` }));
  const all = [...feed, ...lines];
  return all.filter((line, place) => line.kind !== STARTS || all[place - 1]?.kind !== STARTS).slice(-FEED_KEPT);
}

/** The lines that a screen reader has not said yet go behind those that it has; entries: [{key, text}]. */
function toldOf(told, entries) {
  const isNew = ({ key }) => told.every((one) => one.key !== key);
  return [...told, ...entries.filter(isNew).map(({ key, text }) => ({ key, text }))].slice(-TOLD_KEPT);
}

/** The feed without the lines from the newest of a kind on, and those together with it: they come after its cards. */
export function heldBefore(feed, kind, together = []) {
  let first = feed.findLastIndex((line) => line.kind === kind);
  while (together.includes(feed[first - 1]?.kind)) first -= 1;
  return first === -1 ? feed : feed.filter((line, place) => place < first || line.type !== "log");
}

/** A line for screen readers alone. */
export function withTold(state, key, text) {
  return { ...state, told: toldOf(state.told, [{ key, text }]) };
}

/** A reply or the echo of a typed command, for this viewer only. */
export function withReply(state, type, text) {
  const entry = { type, text, key: `own/${state.replies}` };
  const told = type === "reply" ? toldOf(state.told, [entry]) : state.told;
  return { ...state, told, replies: state.replies + 1, feed: [...state.feed, entry].slice(-FEED_KEPT) };
}

/** The state at another game on the same page: what is being typed stays in the box. */
export function another(state, view, game = PLAIN) {
  const { line, unsent } = state.ui;
  const next = fresh(view, game);
  return { ...next, link: state.link, revealed: 0, ui: { ...next.ui, ...(line && { line }), ...(unsent && { unsent }) } };
}

/** The state at the next game of the same people: what was printed stays where it is. */
export function following(state, view, game = PLAIN) {
  return { ...another(state, view, game), replies: state.replies, feed: feedOf(view, state.feed) };
}

export function withView(state, view, game = PLAIN) {
  const last = game.latest(view.game);
  const isNew = Boolean(last) && last.number > state.revealed;
  const isEnd = Boolean(view.game?.result) && Boolean(state.view.game) && !state.view.game.result;
  const isOtherPhase = view.phase !== state.view.phase;
  const feed = feedOf(view, state.feed);
  const isKnown = new Set(state.feed.map(({ key }) => key));
  const passed = Object.fromEntries((isOtherPhase ? (game.passing ?? []) : []).map((name) => [name, game.ui[name]]));
  return {
    ...state,
    view,
    ui: { ...state.ui, ...passed },
    feed,
    told: toldOf(state.told, feed.filter(({ key }) => !isKnown.has(key))),
    revealed: isNew ? last.number : state.revealed,
    reveal: isNew ? last : state.reveal,
    sawEnd: state.sawEnd || isEnd,
  };
}

/** One line of chat; the same number in the same room comes only once. */
export function withSaid(state, frame, isOpen) {
  if (state.chat.some((said) => said.no === frame.no && said.room === frame.room)) return state;
  const chat = [...state.chat, frame].sort((a, b) => a.no - b.no).slice(-CHAT_KEPT);
  const { told } = withTold(state, `${frame.room}${frame.no}`, `${frame.name} says: ${frame.text}`);
  return { ...state, chat, told, unread: isOpen ? 0 : state.unread + 1 };
}

/** The chat with equal lines of one person in a row as one, with their number: [said, times]. */
export function merged(chat) {
  const lines = [];
  for (const said of chat) {
    const [before, times] = lines.at(-1) ?? [];
    const isSame = before && ["name", "room", "text"].every((field) => before[field] === said[field]);
    if (isSame) lines[lines.length - 1] = [before, times + 1];
    else lines.push([said, 1]);
  }
  return lines;
}

/**
 * The moment for which a frame is made: this phase of this match, before the start also these people and
 * these options.
 */
export function momentOf({ match, phase, seats }) {
  const company = match.status === "open" ? [match.options_revision, ...seats.map(({ player }) => player?.name ?? "")] : [];
  return JSON.stringify([match.public_id, phase, ...company]);
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
