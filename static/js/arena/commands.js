// The typed commands of the arena, and the answers to them.
import { html, useEffect, useRef } from "preact";
import { LineBox } from "rr/board/line-box";
import { useTable } from "rr/board/parts";

function Line({ line }) {
  if (line.type === "echo") return html`<li class="feed-echo"><code dir="auto">${line.text}</code></li>`;
  return html`<li class="feed-reply"><span class="feed-mark">only you</span><span class="feed-text" dir="auto">${line.text}</span></li>`;
}

function Lines({ feed }) {
  const box = useRef(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [feed.length]);
  if (!feed.length) return null;
  return html`<div class="feed arena-feed" ref=${box} role="log" aria-live="polite" aria-label="Answers" tabindex="0"><ul>${feed.map((line) => html`<${Line} key=${line.number} line=${line} />`)}</ul></div>`;
}

export function CommandLine() {
  const { state } = useTable();
  return html`<section class="panel" aria-label="Commands">
    <${Lines} feed=${state.feed} />
    <${LineBox} most="200" label="Type a command, such as !rock or !help" placeholder="!rock, !status or !help" autocapitalize="off" spellcheck="false" />
  </section>`;
}
