// Log, chat and the short rules, with the command line under them.
import { html, useEffect, useLayoutEffect, useRef, useState } from "preact";
import { Icon } from "rr/icon";
import { LineBox } from "rr/board/line-box";
import { Avatar, Words, letGo, useTable } from "rr/board/parts";
import { merged } from "rr/board/store";
import { PersonMenu, PersonName } from "rr/people/person";
import { Files } from "rr/replays/replay";

const PHRASE_AFTER = 5000; // the site takes no other one sooner
const LOG = ["log", "Log"];
const CHAT = ["chat", "Chat"];
const RULES = ["rules", "Rules"];

/** Stay at the newest line unless the reader has scrolled up. */
function useStick(count) {
  const box = useRef(null);
  const isAtEnd = useRef(true);
  const top = useRef(0);
  // Before the next scroll event, which would take the grown list for one that was scrolled up.
  useLayoutEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [count]);
  // The side grows and shrinks with the stage of the game.
  useEffect(() => {
    const stick = new ResizeObserver(() => {
      if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
    });
    stick.observe(box.current);
    return () => stick.disconnect();
  }, []);
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    // Told late, of a box that has shrunk since: only a way up leaves the end.
    const isStill = isAtEnd.current && scrollTop >= top.current;
    isAtEnd.current = isStill || scrollHeight - scrollTop - clientHeight < 40;
    top.current = scrollTop;
  };
  return { ref: box, onScroll };
}

function FeedLine({ entry }) {
  if (entry.type === "echo") return html`<li class="feed-echo"><code dir="auto">${entry.text}</code></li>`;
  if (entry.type === "reply") return html`<li class="feed-reply"><span class="feed-mark">only you</span><span class="feed-text" dir="auto">${entry.text}</span></li>`;
  return html`<li><span>${entry.text}</span></li>`;
}

function Log() {
  const { state, controls } = useTable();
  const feed = controls.told(state);
  const stick = useStick(feed.length);
  return html`<div class="feed" ref=${stick.ref} onScroll=${stick.onScroll} role="log" aria-live="off" aria-label="What happened" tabindex="0">
    ${feed.length ? html`<ul>${feed.map((entry) => html`<${FeedLine} key=${entry.key} entry=${entry} />`)}</ul>` : html`<p class="muted pad">Nothing has happened yet.</p>`}
  </div>`;
}

function Said({ said, times, own }) {
  const { view } = useTable();
  const clock = new Date(said.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return html`<li class=${said.name === own ? "said is-own" : "said"}><span class="said-head"><span class="avatar avatar-small" aria-hidden="true"><${Avatar} player=${said} /></span><b><${PersonName} name=${said.name} line=${{ match: view.match.public_id, room: said.room, no: said.no }} /></b>${said.room === "spectators" && html`<span class="muted"> · watching</span>`} <time class="num muted" datetime=${said.at}>${clock}</time></span><${Words} class="said-text" dir="auto" text=${said.text} />${times > 1 && html` <b class="num">×${times}</b>`}</li>`;
}

function Chat() {
  const { state, view } = useTable();
  const stick = useStick(state.chat.length);
  return html`<div class="feed" ref=${stick.ref} onScroll=${stick.onScroll} role="log" aria-live="off" aria-label="Chat" tabindex="0">
    ${state.chat.length ? html`<ul>${merged(state.chat).map(([said, times]) => html`<${Said} key=${`${said.room}${said.no}`} said=${said} times=${times} own=${view.you.name} />`)}</ul>` : html`<p class="muted pad">Quiet. Somebody is thinking, or pretending to.</p>`}
  </div>`;
}

/** The quick phrases, for players with a seat. */
function Phrases() {
  const { view, controls, config } = useTable();
  const [isQuiet, quiet] = useState(false);
  if (view.you.seat === null || !config.phrases || config.replay) return null;
  const say = (event, id) => {
    letGo(event);
    if (!controls.phrase(id)) return;
    quiet(true);
    setTimeout(() => quiet(false), PHRASE_AFTER);
  };
  return html`<div class="phrases" role="group" aria-label="Quick phrases">${config.phrases.map(([id, text]) => html`<button key=${id} type="button" class="chip" disabled=${isQuiet} onClick=${(event) => say(event, id)}>${text}</button>`)}</div>`;
}

function CommandLine({ placeholder }) {
  const { view, config } = useTable();
  if (config.replay) return html`<${Files} />`;
  if (view.you.name === null) return html`<p class="say pad small"><a href=${config.signup_url}>Sign up</a> or <a href=${config.login_url}>log in</a> to chat and play.</p>`;
  return html`<${LineBox} most="300" label="Say something, or type a command that starts with an exclamation mark" placeholder=${placeholder} />`;
}

function TabButton({ name, word, isOpen, names }) {
  const { state, controls } = useTable();
  const step = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const next = names[(names.indexOf(name) + by + names.length) % names.length];
    controls.openTab(next);
    document.getElementById(`tab-${next}`).focus();
  };
  const count = name === "chat" && state.unread > 0 && html` <span class="unread num">${state.unread}<span class="sr"> new</span></span>`;
  return html`<button type="button" role="tab" id=${`tab-${name}`} aria-selected=${isOpen} aria-controls=${`panel-${name}`} tabindex=${isOpen ? 0 : -1} onClick=${() => controls.openTab(name)} onKeyDown=${step}>${word}${count}</button>`;
}

/**
 * rules: the short rules of the game that is played; more: what else it has, as [name, word, part];
 * hasChat: whether there is a chat for this viewer; placeholder: of the command line.
 */
export function Side({ rules, more = [], hasChat = true, placeholder = "Say something, or !help" }) {
  const { ui, config } = useTable();
  // Chat, notes and the votes of later days belong to no moment.
  const tabs = config.replay ? [LOG, RULES] : [LOG, ...(hasChat ? [CHAT] : []), ...more, RULES];
  const names = tabs.map(([name]) => name);
  const open = names.includes(ui.tab) ? ui.tab : "log";
  const parts = { log: Log, chat: Chat, rules, ...Object.fromEntries(more.map(([name, , part]) => [name, part])) };
  const panels = names.map((name) => html`<div key=${name} role="tabpanel" id=${`panel-${name}`} aria-labelledby=${`tab-${name}`} hidden=${open !== name} class="side-panel">${open === name && html`<${parts[name]} />`}</div>`);
  return html`<aside class="panel side" aria-label="Log, chat and rules">
    <div class="tabs" role="tablist">${tabs.map(([name, word]) => html`<${TabButton} key=${name} name=${name} word=${word} isOpen=${open === name} names=${names} />`)}</div>
    ${panels}
    ${hasChat && html`<${Phrases} />`}
    <${CommandLine} placeholder=${placeholder} />
    <${PersonMenu} />
  </aside>`;
}
