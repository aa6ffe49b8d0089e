// A replay: stored views in place of a socket, and the timeline that steps through them.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Avatar, letGo, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { ShareButton } from "rr/replays/share";
import { PLAIN, fresh, withView } from "rr/board/store";

const PAGE = 50; // views that come at once
const AHEAD = 12; // views before the end of a page at which the next one is asked for
const STEP_FOR = 1500; // milliseconds between two moments at speed 1
const REVEAL_TIMES = 2.5; // as long where cards are turned over
const ADDRESS_AFTER = 400; // browsers refuse an address that changes too often
export const SPEEDS = [0.5, 1, 2, 4];

/** The place of the last moment at or before an entry; 0 where there is none. */
export function placeOf(moments, at) {
  return Math.max(0, moments.findLastIndex(([no]) => no <= at));
}

/** The first moment of the next phase (by = 1), or of this or the previous one (by = -1). */
export function phaseFrom(moments, place, by) {
  if (by > 0) {
    const next = moments.findIndex(([, phase], other) => other > place && phase !== moments[place][1]);
    return next === -1 ? moments.length - 1 : next;
  }
  const before = Math.max(0, place - 1);
  return moments.findIndex(([, phase]) => phase === moments[before][1]);
}

/** The meaning of a key in a replay: {go} to a place, {play}; null for none. Pure. */
export function replayWish(event, moments, place) {
  const target = event.target?.closest?.("[role=tab], [role=region][tabindex], input, select, textarea, summary");
  if (event.ctrlKey || event.altKey || event.metaKey || target) return null;
  const places = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    ArrowUp: phaseFrom(moments, place, -1),
    ArrowDown: phaseFrom(moments, place, 1),
    Home: 0,
    End: moments.length - 1,
  };
  if (event.key in places) return { go: places[event.key] };
  const isButton = event.target?.closest?.("button, a");
  return event.key === " " && !isButton ? { play: true } : null;
}

/** Views by page, as they come from the site; it has the interface of a connection's clock. */
export class Replay {
  #config;
  #store;
  #game;
  #pages = new Map(); // eyes -> first place -> promise of moments
  #timer = null;
  #address = null;
  #wish = 0; // the newest request; older answers are dropped

  constructor(config, store, game = PLAIN) {
    this.#config = config;
    this.#store = store;
    this.#game = game;
    this.moments = config.moments;
    this.clock = { left: (dueAt) => Math.max(0, Date.parse(dueAt) - Date.parse(this.now)), hint: () => {} };
  }

  get now() {
    return this.#store.state.replay.at;
  }

  /** The part of the store that a replay adds to the view. */
  static first(config, first) {
    return { place: placeOf(config.moments, config.at), eyes: config.as, at: first.at, open: first.open, secrets: first.secrets, isPlaying: false, speed: 1, problem: false };
  }

  get #replay() {
    return this.#store.state.replay;
  }

  #change(change) {
    this.#store.change((state) => ({ ...state, replay: { ...state.replay, ...change } }));
  }

  /** The moments of the page that holds a place. */
  #page(place, eyes) {
    const first = place - (place % PAGE);
    const key = `${eyes} ${first}`;
    if (!this.#pages.has(key)) {
      const pages = this.#read(first, eyes);
      this.#pages.set(key, pages);
      pages.catch(() => this.#pages.delete(key));
    }
    return this.#pages.get(key);
  }

  async #read(first, eyes) {
    const query = new URLSearchParams({ digest: this.#config.digest, from: this.moments[first][0] });
    if (eyes !== null) query.set("as", eyes);
    const answer = await fetch(`${this.#config.pages_url}?${query}`);
    if (!answer.ok) throw new Error(`no page of the replay: ${answer.status}`);
    return (await answer.json()).views;
  }

  /** Show the moment at a place, through the same eyes or others. */
  async go(wanted, eyes = this.#replay.eyes) {
    const place = Math.min(Math.max(wanted, 0), this.moments.length - 1);
    if (place === this.#replay.place && eyes === this.#replay.eyes) return;
    const wish = ++this.#wish;
    try {
      const views = await this.#page(place, eyes);
      if (wish === this.#wish) this.#show(place, eyes, views[place % PAGE]);
      if (place % PAGE >= PAGE - AHEAD && place + AHEAD < this.moments.length) this.#page(place + AHEAD, eyes).catch(() => {});
    } catch {
      if (wish === this.#wish) this.pause({ problem: true });
    }
  }

  #show(place, eyes, { view, at, open, secrets }) {
    this.#store.change((state) => {
      const isNext = place === state.replay.place + 1 && eyes === state.replay.eyes;
      const known = { ...state, reveal: null };
      // A step shows what is new, as live; a jump shows how things stood.
      const next = isNext ? withView(known, view, this.#game) : { ...fresh(view, this.#game), link: state.link, ui: state.ui };
      return { ...next, replay: { ...state.replay, place, eyes, at, open, secrets, problem: false } };
    });
    this.#tellAddress();
    if (this.#replay.isPlaying) this.#later();
  }

  /** The address names the moment, so that it can be passed on. */
  #tellAddress() {
    clearTimeout(this.#address);
    this.#address = setTimeout(() => history.replaceState(null, "", this.address), ADDRESS_AFTER);
  }

  get address() {
    const { place, eyes } = this.#replay;
    const query = new URLSearchParams({ at: this.moments[place][0] });
    query.set("as", eyes ?? "");
    return `${location.pathname}?${query}`;
  }

  get isAtEnd() {
    return this.#replay.place === this.moments.length - 1;
  }

  play() {
    this.#change({ isPlaying: true });
    if (this.isAtEnd) this.go(0);
    else this.#later();
  }

  pause(more = {}) {
    clearTimeout(this.#timer);
    this.#change({ isPlaying: false, ...more });
  }

  toggle() {
    if (this.#replay.isPlaying) this.pause();
    else this.play();
  }

  setSpeed(speed) {
    this.#change({ speed });
    if (this.#replay.isPlaying) this.#later();
  }

  #later() {
    clearTimeout(this.#timer);
    if (this.isAtEnd) return this.pause();
    const times = this.#store.state.reveal ? REVEAL_TIMES : 1;
    this.#timer = setTimeout(() => this.go(this.#replay.place + 1), (STEP_FOR * times) / this.#replay.speed);
  }

  /** A key; return whether it meant something. */
  press(event) {
    const wish = replayWish(event, this.moments, this.#replay.place);
    if (!wish) return false;
    event.preventDefault();
    if (wish.play) this.toggle();
    else this.go(wish.go);
    return true;
  }
}

function Step({ icon, label, place, isOff, look = "" }) {
  const { replay } = useTable();
  const press = (event) => {
    letGo(event);
    replay.go(place);
  };
  return html`<button type="button" class=${`btn btn-icon ${look}`} aria-label=${label} title=${label} disabled=${isOff} onClick=${press}><${Icon} name=${icon} /></button>`;
}

function Eyes() {
  const { state, config, replay } = useTable();
  const { eyes, place } = state.replay;
  const change = (event) => {
    const { value } = event.target;
    replay.go(place, value === "" || value === "all" ? value || null : Number(value));
  };
  return html`<label class="replay-eyes"><span>Seen by</span><select value=${eyes ?? ""} onChange=${change}>
    <option value="">public</option>${config.replay.seats.map(([no, name]) => html`<option key=${no} value=${no}>${name}</option>`)}<option value="all">all</option>
  </select></label>`;
}

function Speed() {
  const { state, replay } = useTable();
  return html`<label class="replay-speed"><span class="sr">Speed</span><select value=${state.replay.speed} onChange=${(event) => replay.setSpeed(Number(event.target.value))}>${SPEEDS.map((speed) => html`<option key=${speed} value=${speed}>${speed}×</option>`)}</select></label>`;
}

/** The secrets of every seat, and the private facts of this moment. */
function Open() {
  const { state, view } = useTable();
  const { open, secrets } = state.replay;
  if (!open) return null;
  return html`<section class="replay-open" aria-label="All cards open">
    ${secrets.map((text) => html`<p key=${text} class="replay-secret"><${Icon} name="eye" />${text}</p>`)}
    ${open.length > 0 && html`<ul>${open.map(({ seat, text }) => html`<li key=${seat}><span class="avatar avatar-small" aria-hidden="true"><${Avatar} player=${view.seats.find(({ no }) => no === seat).player} /></span><b>${nameOf(view, seat)}</b> <span>${text}</span></li>`)}</ul>`}
  </section>`;
}

/** The newest line of the log; a moment that is private adds none. */
function Caption() {
  const { state, view } = useTable();
  if (state.replay.problem) return html`<p class="replay-caption" role="alert">This moment could not be loaded. Try again.</p>`;
  return html`<p class="replay-caption" role="status">${view.log.at(-1)?.text}</p>`;
}

/** Stands under the head of the board; on a phone at the foot of the window. */
export function Timeline() {
  const { state, config, replay, view } = useTable();
  const { place, isPlaying } = state.replay;
  const { moments } = config.replay;
  const last = moments.length - 1;
  const toggle = (event) => {
    letGo(event);
    replay.toggle();
  };
  return html`<section class="panel replay" aria-label="Replay">
    <div class="replay-row">
      <${Step} icon="chevrons-left" label="To the start" look="replay-far" place=${0} isOff=${place === 0} />
      <${Step} icon="chevron-left" label="One back" place=${place - 1} isOff=${place === 0} />
      <button type="button" class="btn btn-brass btn-icon" aria-label=${isPlaying ? "Pause" : "Play"} title=${isPlaying ? "Pause" : "Play"} onClick=${toggle}><${Icon} name=${isPlaying ? "pause" : "play"} /></button>
      <${Step} icon="chevron-right" label="One on" place=${place + 1} isOff=${place === last} />
      <${Step} icon="chevrons-right" label="To the end" look="replay-far" place=${last} isOff=${place === last} />
      <input class="replay-slider" type="range" min="0" max=${last} step="1" value=${place} aria-label="Moment" aria-valuetext=${`${place + 1} of ${last + 1}`} onInput=${(event) => replay.go(Number(event.target.value))} />
      <span class="num muted replay-count">${place + 1} / ${last + 1}</span>
      <${Speed} /><${Eyes} />
      ${view.match.options.spectators && html`<${ShareButton} address=${() => replay.address} />`}
    </div>
    <${Caption} />
    <${Open} />
  </section>`;
}

/** In place of the log's command line: the result, and the match as files. */
export function Files() {
  const { config } = useTable();
  const { board_url: board, history_url: text, export_url: json } = config.replay;
  return html`<p class="say pad small replay-files"><a href=${board}>Result</a> <a href=${text}>Text</a> <a href=${json} download>JSON</a></p>`;
}
