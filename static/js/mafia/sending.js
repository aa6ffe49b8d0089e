// Requests of a board over HTTP: posts that are too long for a frame, and reports of posts.
import { html, useState } from "preact";
import { Dialog, useTable } from "rr/board/parts";
import { refusal } from "rr/board/wording";
import { post as postTo } from "rr/own-page";

const LARGEST_FRAME = 7600; // bytes of a post in a frame, which takes 8,192 in all
const BUSY = { code: "busy" };

/** The length of a text as JSON, in bytes. */
export function bytesOf(text) {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/** Whether a post can go by the socket, as every other action does. */
export function fitsFrame(text) {
  return bytesOf(text) <= LARGEST_FRAME;
}

async function ask(url, options, { csrf }) {
  try {
    const answer = await postTo(url, options, csrf);
    return await answer.json();
  } catch {
    return { error: BUSY };
  }
}

function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ids = new Map(); // room and text -> the id that it keeps until it is accepted

/** Post by the room's address. What was refused stays in the box, and keeps its id. */
export async function postLong(controls, config, room, text) {
  const key = `${room}\n${text}`;
  ids.set(key, ids.get(key) ?? newId());
  controls.setUi({ isPosting: true });
  const { error } = await ask(config.posts_url.replace("ROOM", room), {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ id: ids.get(key), phase: controls.view.phase, text }),
  }, config);
  controls.setUi({ isPosting: false });
  if (error) return controls.toast(refusal(error));
  ids.delete(key);
  return controls.accepted({ kind: "post", room, text });
}

/** Ask the administrators to look at a post: {room, no, name}. */
export function ReportDialog({ post, onClose }) {
  const { config, controls } = useTable();
  const [reason, write] = useState("");
  const [said, say] = useState("");
  const send = async (event) => {
    event.preventDefault();
    say("Sending…");
    const url = config.report_url.replace("/ROOM/0/", `/${post.room}/${post.no}/`);
    const { error } = await ask(url, { body: new URLSearchParams({ reason }) }, config);
    if (error) return say(refusal(error));
    onClose();
    return controls.toast("The house will look at this post. Thank you.", "good");
  };
  return html`<${Dialog} title=${`Report post ${post.no} of ${post.name}`} onClose=${onClose}>
    <form class="options-form" onSubmit=${send}>
      <p class="small muted">Administrators see it with the posts around it, and your reason. While the game runs nobody who plays in it does.</p>
      <div class="field"><label for="report-reason">What is wrong?</label><textarea id="report-reason" dir="auto" rows="3" maxlength="500" required value=${reason} onInput=${(event) => write(event.target.value)} /></div>
      <div class="form-end"><span class="small muted" role="status">${said}</span><button class="btn btn-danger" type="submit">Report</button></div>
    </form>
  <//>`;
}
