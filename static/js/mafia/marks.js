// A small markdown for posts: paragraphs, quotes, strong, emphasis, names and numbers of posts.
// It makes words, never markup: everything typed is drawn as text. Pure except for the drawing.
import { html } from "preact";
import { Words } from "rr/board/parts";

const QUOTE = /^\s*> ?/;
// One mark after the other; what matches none of them is plain text.
const MARK = /(\*\*(?=\S)[^*\n]*[^*\s]\*\*)|(\*(?=\S)[^*\n]*[^*\s]\*)|(@[\w-]{1,40})|(#\d{1,6}\b)/g;

/** A text as [{type: "quote" | "text", lines}]: an empty line or a change of kind begins a new one. */
export function blocks(text) {
  const found = [];
  let isGap = true;
  for (const line of text.split(/\r?\n/)) {
    const type = QUOTE.test(line) ? "quote" : "text";
    const words = type === "quote" ? line.replace(QUOTE, "") : line;
    if (type === "text" && !words.trim()) {
      isGap = true;
      continue;
    }
    if (isGap || found.at(-1).type !== type) found.push({ type, lines: [] });
    found.at(-1).lines.push(words);
    isGap = false;
  }
  return found;
}

/** A line as [{type: "text" | "strong" | "em" | "name" | "post", text}]. */
export function spans(line, names = []) {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  const found = [];
  let end = 0;
  const add = (type, text) => text && found.push({ type, text });
  for (const match of line.matchAll(MARK)) {
    const [whole, strong, em, name, post] = match;
    if (name && !known.has(name.slice(1).toLowerCase())) continue;
    add("text", line.slice(end, match.index));
    if (strong) add("strong", strong.slice(2, -2));
    else if (em) add("em", em.slice(1, -1));
    else add(post ? "post" : "name", name ? `@${known.get(name.slice(1).toLowerCase())}` : whole);
    end = match.index + whole.length;
  }
  add("text", line.slice(end));
  return found;
}

/** Whether a text calls somebody by name. */
export function mentions(text, name) {
  if (!name) return false;
  return blocks(text).some(({ type, lines }) => type === "text" && lines.some((line) => spans(line, [name]).some((span) => span.type === "name")));
}

/** A post as the beginning of an answer to it. */
export function quoted({ name, no, text }, most = 280) {
  const own = blocks(text).filter(({ type }) => type === "text").map(({ lines }) => lines.join("\n")).join("\n\n");
  const short = own.length > most ? `${own.slice(0, most).trimEnd()}…` : own;
  return `> @${name} #${no}\n${short.split("\n").map((line) => `> ${line}`).join("\n")}\n\n`;
}

function Span({ span, own }) {
  if (span.type === "name") return html`<b class=${span.text.slice(1) === own ? "mention is-own" : "mention"}>${span.text}</b>`;
  if (span.type === "post") return html`<span class="num muted">${span.text}</span>`;
  return html`<${Words} as=${span.type === "text" ? "span" : span.type} text=${span.text} />`;
}

function Line({ line, names, own }) {
  return spans(line, names).map((span, place) => html`<${Span} key=${place} span=${span} own=${own} />`);
}

/** names: the players whom a post can call; own: the reader's name. */
export function Marked({ text, names, own }) {
  return blocks(text).map(({ type, lines }, place) => {
    const words = lines.map((line, row) => html`${row > 0 && html`<br />`}<${Line} line=${line} names=${names} own=${own} />`);
    return type === "quote" ? html`<blockquote key=${place}><p dir="auto">${words}</p></blockquote>` : html`<p key=${place} dir="auto">${words}</p>`;
  });
}
