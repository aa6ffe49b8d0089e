// The thread: the rooms that one reads, their posts in pages, and where one writes.
import { html, useEffect, useLayoutEffect, useRef, useState } from "preact";
import { Icon } from "rr/icon";
import { Held } from "rr/board/line-box";
import { ActButton, useTable } from "rr/board/parts";
import { PersonName } from "rr/people/person";
import { commandMeant } from "rr/board/typed-line";
import { Marked, mentions, quoted } from "rr/mafia/marks";
import { notebookOf } from "rr/mafia/memory";
import { ReportDialog, fitsFrame, postLong } from "rr/mafia/sending";
import { NOTHING, filtered, found, hasOlder, needsOlder, newest, oldest, phaseName, placed, read, upTo, wanted, withPage } from "rr/mafia/posts";
import { hasActed, lastPhase } from "rr/mafia/game";
import { useVotes } from "rr/mafia/history";
import { PhaseTabs, Search, VoteLine, VotesSwitch } from "rr/mafia/reading";
import { timeWords, withVotes } from "rr/mafia/wagons";

const LONGEST = 4000; // characters
const AGAIN_AFTER = 3000;
const LOOK_AGAIN = 60_000; // whether something that is there was hidden meanwhile

/** The number of characters left. */
export function roomLeft(text) {
  return LONGEST - [...text].length;
}

/** The posts of a room that has `lines` of them: the newest page, then what is new; of a replay those up to there. */
function useRoom(name, lines) {
  const { config } = useTable();
  const url = config.posts_url.replace("ROOM", name);
  const [all, change] = useState(NOTHING);
  const [problem, tell] = useState(false);
  const [tries, again] = useState(0);
  const room = config.replay ? upTo(all, lines) : all;
  const query = config.replay ? (lines && !room.posts.length ? `?before=${lines + 1}` : null) : wanted(room, lines);
  const get = async (what) => {
    const page = await read(url, config.replay ? `${what}&replay` : what);
    tell(false);
    change((known) => withPage(known, page));
    return page;
  };
  useEffect(() => {
    if (query === null) return undefined;
    let timer;
    get(query).then(({ posts }) => {
      // Nothing came though something is said to be there: look again after a while.
      if (!posts.length) timer = setTimeout(() => again((count) => count + 1), AGAIN_AFTER);
    }).catch(() => {
      tell(true);
      timer = setTimeout(() => again((count) => count + 1), AGAIN_AFTER);
    });
    return () => clearTimeout(timer);
  }, [name, query, lines, tries]);
  useEffect(() => {
    if (!room.posts.length || config.replay) return undefined;
    const look = () => document.visibilityState === "visible" && get(`?after=${newest(room)}`).catch(() => tell(true));
    const timer = setInterval(look, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [name, newest(room)]);
  const older = () => get(`?before=${oldest(room)}`).catch(() => tell(true));
  return { room, problem, older };
}

function Stamp({ at }) {
  return html`<time class="num muted" datetime=${at}>${timeWords(at)}</time>`;
}

function PostMenu({ post, onQuote, onReport }) {
  if (!onQuote && !onReport) return null;
  const pick = (event, run) => {
    event.currentTarget.closest("details").open = false;
    run(post);
  };
  return html`<details class="menu post-menu" data-menu><summary aria-label=${`More about post ${post.no} of ${post.name}`}><span aria-hidden="true">⋯</span></summary><div class="menu-list">
    ${onQuote && html`<button type="button" onClick=${(event) => pick(event, onQuote)}>Quote</button>`}
    ${onReport && html`<button type="button" onClick=${(event) => pick(event, onReport)}>Report</button>`}
  </div></details>`;
}

function Post({ post, names, own, isNew, onQuote, onReport }) {
  if (post.is_hidden) return html`<li class="post is-hidden" id=${`post-${post.no}`} tabindex="-1"><p class="post-head"><b>${post.name}</b><span class="num muted">#${post.no}</span><${Stamp} at=${post.at} /></p><p class="post-text muted"><i>An administrator has hidden this post.</i></p></li>`;
  const isCalled = mentions(post.text, own);
  const marks = ["post", post.name === own && "is-own", isNew && "is-new", isCalled && "is-calling", post.is_will && "is-will"].filter(Boolean).join(" ");
  return html`<li class=${marks} id=${`post-${post.no}`} tabindex="-1">
    <p class="post-head"><b><${PersonName} name=${post.name} /></b>${post.is_will && html`<span class="tag">last will</span>`}${isNew && html`<span class="tag">new</span>`}<span class="num muted">#${post.no}</span><${Stamp} at=${post.at} />
      <${PostMenu} post=${post} onQuote=${onQuote} onReport=${post.name !== own && onReport} /></p>
    <div class="post-text"><${Marked} text=${post.text} names=${names} own=${own} /></div>
  </li>`;
}

function Filter({ view, value, choose }) {
  const players = view.seats.filter((seat) => seat.player);
  return html`<label class="thread-filter"><span class="sr">Show posts of</span><select value=${value} onChange=${(event) => choose(event.target.value)}>
    <option value="all">All posts</option>${view.you.name && html`<option value="mentions">Posts that call you</option>`}
    ${players.map((seat) => html`<option key=${seat.no} value=${seat.no}>${seat.player.name}</option>`)}
  </select></label>`;
}

/** Posts and the votes between them, with a line before those of another phase. */
function List({ items, names, own, readTo, onQuote, onReport }) {
  const { config } = useTable();
  const phases = items.map(({ post, change }) => (post ?? change).phase);
  return html`<ol class="posts">${items.map(({ post, change }, place) => {
    const isOther = place === 0 || phases[place - 1] !== phases[place];
    return html`${isOther && html`<li key=${`phase-${post?.no ?? change.key}`} class="post-phase">${phaseName(phases[place], config.first_stage)}</li>`}
      ${change && html`<${VoteLine} key=${change.key} change=${change} />`}
      ${post && html`<${Post} key=${post.no} post=${post} names=${names} own=${own} isNew=${post.no > readTo && post.name !== own} onQuote=${onQuote} onReport=${onReport} />`}`;
  })}</ol>`;
}

/** The post up to which the viewer has read; those on the screen are read now. */
function useReadTo(room, name) {
  const { ui, controls, config } = useTable();
  const book = notebookOf(config);
  const [readTo] = useState(() => book.readTo[name] ?? 0);
  const last = newest(room);
  useEffect(() => {
    if (!last || !ui.isInTalk || document.visibilityState !== "visible") return;
    book.mark(name, last);
    // Not from within the effect: the store draws at once.
    queueMicrotask(() => controls.setUi({ readTo: book.readTo }));
  }, [last, ui.isInTalk]);
  return readTo;
}

/** Knows whether the talk is on the screen. */
function useInTalk(box) {
  const { controls } = useTable();
  useEffect(() => {
    const eye = new IntersectionObserver(([{ isIntersecting: isInTalk }]) => controls.setUi({ isInTalk }), { rootMargin: "-25% 0px" });
    eye.observe(box.current);
    return () => eye.disconnect();
  }, []);
}

/** Stay at the newest post unless the reader has scrolled up; older ones keep their place. */
function useStick(room) {
  const box = useRef(null);
  const isAtEnd = useRef(true);
  const before = useRef({ first: 0, height: 0 });
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const first = oldest(room);
    if (first < before.current.first) list.scrollTop += list.scrollHeight - before.current.height;
    else if (isAtEnd.current) list.scrollTop = list.scrollHeight;
    before.current = { first, height: list.scrollHeight };
  }, [room]);
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
  };
  return { box, onScroll };
}

/** Going to a post: when it is not there yet, the pages before it are read first. */
function useJump(room, older) {
  const [target, aim] = useState(null);
  useEffect(() => {
    if (target === null) return;
    if (oldest(room) > target && hasOlder(room)) {
      older();
      return;
    }
    const post = document.getElementById(`post-${Math.max(target, oldest(room))}`);
    post?.scrollIntoView({ block: "start" });
    post?.focus({ preventScroll: true });
    aim(null);
  }, [target, room]);
  return aim;
}

/** Tells screen readers the posts of others that come while the room is open. */
function useTelling(room, name, lines) {
  const { view, controls, config } = useTable();
  const heard = useRef(lines);
  useEffect(() => {
    const posts = config.replay ? [] : room.posts.filter((post) => post.no > heard.current && post.name !== view.you.name && !post.is_hidden);
    heard.current = Math.max(heard.current, newest(room));
    // Not from within the effect: the store draws at once.
    queueMicrotask(() => posts.forEach((post) => controls.tell(`post/${name}/${post.no}`, `${post.name} says: ${post.text}`)));
  }, [room]);
}

const EMPTY = {
  town: "Nobody has said anything. Somebody is always first.",
  dead: "It is quiet down here.",
};

function isNarrow({ filter, phase, search }) {
  return filter !== "all" || phase > 0 || search.trim() !== "";
}

function countOf(count, all, shown) {
  const words = all === 1 ? "1 post" : `${all} posts`;
  return isNarrow(shown) ? `${count} of ${words}` : words;
}

/** The votes that stand between the posts of the town: of everybody, or of the player who is shown. */
function useChanges(name, { filter, phase, search }, isOn) {
  const { config } = useTable();
  const { changes } = useVotes(!config.replay);
  if (name !== "town" || !isOn || filter === "mentions" || search.trim() || config.replay) return [];
  return changes.filter((change) => (filter === "all" || change.seat === Number(filter)) && (!phase || change.phase === phase));
}

const EVERYTHING = { filter: "all", phase: 0, search: "" };

function Posts({ name, word, lines, onQuote, onReport }) {
  const { view, ui, controls, config } = useTable();
  const [shown, show] = useState(EVERYTHING);
  const [hasVotes, switchVotes] = useState(true);
  const narrow = (part) => show((now) => ({ ...now, ...part }));
  const { filter, phase, search } = ui.isFinding ? shown : EVERYTHING;
  const { room, problem, older } = useRoom(name, lines);
  const readTo = useReadTo(room, name);
  const stick = useStick(room);
  useInTalk(stick.box);
  const jump = useJump(room, older);
  useTelling(room, name, lines);
  const names = view.seats.filter((seat) => seat.player).map((seat) => seat.player.name);
  const own = view.you.name;
  const posts = found(filtered(placed(room.posts, config.first_stage, lastPhase(view)), filter, (text) => mentions(text, own)), phase, search);
  const items = withVotes(posts, useChanges(name, { filter, phase, search }, hasVotes), oldest(room));
  const fresh = Math.max(0, newest(room) - readTo);
  // Of a player, a phase and a search all posts are wanted, not those among the newest.
  useEffect(() => {
    if (needsOlder(room, filter, phase, search)) older();
  }, [filter, phase, search, room]);
  // A post that is asked for elsewhere is shown among all.
  useEffect(() => {
    if (!ui.jump || name !== "town" || !room.posts.length) return;
    // Not from within the effect: the store draws at once.
    queueMicrotask(() => {
      controls.setUi({ jump: null, isFinding: false });
      jump(ui.jump);
    });
  }, [ui.jump, room]);
  return html`${ui.isFinding && html`<div id="thread-find"><${PhaseTabs} value=${phase} choose=${(value) => narrow({ phase: value })} />
    <div class="thread-tools"><${Filter} view=${view} value=${filter} choose=${(value) => narrow({ filter: value })} />
      <${Search} value=${search} write=${(value) => narrow({ search: value })} />
      ${name === "town" && html`<${VotesSwitch} isOn=${hasVotes} toggle=${() => switchVotes(!hasVotes)} />`}
      <span class="small muted" role="status">${countOf(posts.length, room.last, shown)}</span></div></div>`}
    ${readTo > 0 && fresh > 0 && html`<p class="thread-tools"><button type="button" class="btn btn-small" id="jump" onClick=${() => jump(readTo + 1)}>First unread</button></p>`}
    <div class="thread-box" ref=${stick.box} onScroll=${stick.onScroll} role="log" aria-live="off" aria-label=${word} tabindex="0">
      ${hasOlder(room) && html`<p class="thread-older"><button type="button" class="btn" onClick=${older}>Older posts</button></p>`}
      ${problem && html`<p class="notice notice-error">The posts do not come at the moment. They are asked for again.</p>`}
      ${items.length ? html`<${List} items=${items} names=${names} own=${own} readTo=${readTo > 0 ? readTo : Infinity} onQuote=${onQuote} onReport=${onReport} />` : html`<p class="muted pad">${!isNarrow(shown) ? (EMPTY[name] ?? "Nobody has said anything here.") : "No post of this kind."}</p>`}
    </div>`;
}

/**
 * The form for posts; the draft stays until the post is accepted, also while nobody may post here. A line
 * that would be a command is asked about, before the room reads it.
 */
function Writer({ name, to, draft, write, mayPost }) {
  const { view, controls, config, ui } = useTable();
  const [held, hold] = useState(null);
  const left = roomLeft(draft);
  const text = draft.trim();
  const command = text.includes("\n") ? null : commandMeant(text, controls.commands);
  const isOpen = mayPost && text && left >= 0 && !ui.isPosting;
  const post = () => {
    hold(null);
    if (isOpen) fitsFrame(text) ? controls.post(name, text) : postLong(controls, config, name, text);
  };
  const send = () => (command && isOpen ? hold(text) : post());
  const carryOut = () => {
    controls.command(command);
    write("");
  };
  const onKeyDown = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  const isIdle = view.match.options.substitutes && view.game?.you?.is_alive && !hasActed(view);
  const count = left < 0 ? `${-left} too many` : !mayPost ? "You cannot post here now; your draft stays." : left < 500 ? `${left} left` : "";
  return html`<form class="writer" onSubmit=${(event) => event.preventDefault()}>
    <label class="sr" for="post-text">Your post to ${to}</label>
    ${command && held === text && html`<${Held} command=${command} onCommand=${carryOut} asTalk=${{ word: "Post it", send: post }} />`}
    <textarea id="post-text" dir="auto" rows="3" value=${draft} onInput=${(event) => write(event.target.value)} onKeyDown=${onKeyDown} placeholder="Say it to the room. **strong**, *emphasis*, > quote, @name"></textarea>
    ${isIdle && html`<p class="small minus">Posts do not keep your seat. Vote or press Done.</p>`}
    <div class="writer-end"><span class=${left < 0 ? "small minus num" : "small muted num"} role="status">${count}</span>
      <${ActButton} kind="post" class="btn btn-brass" disabled=${!isOpen} onPress=${send}><${Icon} name="send" />Post to ${to}<kbd>Ctrl+Enter</kbd><//></div>
  </form>`;
}

function Tab({ room, isOpen, open }) {
  return html`<button type="button" class="chip" aria-pressed=${isOpen} onClick=${() => open(room.room)}><span>${room.word}</span><span class="num muted">${room.lines}</span></button>`;
}

/** The room that was chosen, else the first in which one may post now, else the first. */
export function openRoom(rooms, chosen) {
  return rooms.find(({ room }) => room === chosen) ?? rooms.find(({ mayPost }) => mayPost) ?? rooms[0];
}

/** rooms: [{room, word, lines, mayPost, about}], as the game names them. */
export function Thread({ rooms }) {
  const { view, ui, controls, config } = useTable();
  const room = openRoom(rooms, ui.room);
  const drafts = ui.drafts ?? {};
  const draft = drafts[room.room] ?? "";
  const stage = view.game?.stage;
  const seen = useRef(stage);
  useEffect(() => {
    const isNew = seen.current !== stage && stage !== "over";
    seen.current = stage; // before the change, which draws the board again
    // At dawn the talk is the town's again, at dusk the mafia's, for who was not writing.
    // Later: an effect may run within a render, and a render within another draws twice.
    if (isNew && ui.room && !draft) queueMicrotask(() => controls.setUi({ room: null }));
  }, [stage]);
  const write = (text) => controls.draft(room.room, text);
  const quote = (post) => {
    write(`${draft && !draft.endsWith("\n") ? `${draft}\n\n` : draft}${quoted(post)}`);
    document.getElementById("post-text")?.focus();
  };
  const report = (post) => controls.setUi({ dialog: "report", report: { room: room.room, no: post.no, name: post.name } });
  return html`<section class=${`panel thread room-${room.room}`} aria-label="The thread">
    ${ui.dialog === "report" && html`<${ReportDialog} post=${ui.report} onClose=${() => controls.setUi({ dialog: null })} />`}
    <header class="panel-head"><h2>${room.word}</h2>${rooms.length > 1 && html`<div class="cluster" role="group" aria-label="Rooms">${rooms.map((one) => html`<${Tab} key=${one.room} room=${one} isOpen=${one.room === room.room} open=${(name) => controls.setUi({ room: name })} />`)}</div>`}
      <button type="button" class="chip" aria-expanded=${Boolean(ui.isFinding)} onClick=${() => controls.setUi({ isFinding: !ui.isFinding })}>Find</button></header>
    ${room.about && html`<p class="thread-about small muted">${room.about}</p>`}
    <${Posts} key=${room.room} name=${room.room} word=${room.word} lines=${room.lines} onQuote=${room.mayPost ? quote : null} onReport=${config.name && report} />
    ${(room.mayPost || draft) && html`<${Writer} key=${room.room} mayPost=${room.mayPost} name=${room.room} to=${`${room.word[0].toLowerCase()}${room.word.slice(1)}`} draft=${draft} write=${write} />`}
  </section>`;
}
