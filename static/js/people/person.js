// A player's name at a seat or in chat; pressed, it opens the player's menu, which the site writes.
import { html, useEffect, useRef, useState } from "preact";
import { Dialog, useTable } from "rr/board/parts";

/** Without it the address is a page's, and leads to the profile. */
export const ASKED = { "X-Requested-With": "fetch" };
const LOST = '<p class="muted">That did not work. Close this and try again.</p>';

/** line: {match, room, no} of a line of chat, for a report. */
function Menu({ name, line }) {
  const { config, controls } = useTable();
  const [part, show] = useState("");
  const box = useRef(null);
  const ask = async (options) => {
    const address = config.person_url.replace("NAME", encodeURIComponent(name));
    try {
      const answer = await fetch(line ? `${address}?${new URLSearchParams(line)}` : address, { headers: ASKED, ...options });
      const isMenu = answer.ok && !answer.redirected; // else the log-in page
      show(isMenu ? await answer.text() : LOST);
      return isMenu;
    } catch {
      show(LOST);
      return false;
    }
  };
  useEffect(() => void ask(), []);
  const send = async (event) => {
    event.preventDefault();
    const { value } = event.submitter;
    const isDone = await ask({ method: "POST", body: new FormData(event.target, event.submitter) });
    box.current?.focus();
    if (isDone && config.mutes && ["mute", "block"].includes(value)) controls.hush(name);
  };
  return html`<div class="menu-list is-flat" ref=${box} tabindex="-1" onSubmit=${send} dangerouslySetInnerHTML=${{ __html: part }}></div>`;
}

/** The name alone for guests, for oneself and in practice. */
export function PersonName({ name, class: look = "", line }) {
  const { config, controls } = useTable();
  if (!config.name || !config.person_url || name === config.name) return html`<span class=${look} title=${name}>${name}</span>`;
  return html`<button type="button" class=${`person ${look}`} title=${name} aria-haspopup="dialog" onClick=${() => controls.setUi({ person: { name, line } })}>${name}</button>`;
}

/** The menu of the name that was pressed; once a board, because a muted line of chat goes with its name. */
export function PersonMenu() {
  const { ui, controls } = useTable();
  if (!ui.person) return null;
  return html`<${Dialog} title=${ui.person.name} onClose=${() => controls.setUi({ person: null })}><${Menu} ...${ui.person} /><//>`;
}
