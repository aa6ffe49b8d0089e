// The box for lines under every board: what is typed stays in it until the site has taken it.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";

/** Asks what was meant before anybody reads it; asTalk: {word, send}, null where nobody reads lines. */
export function Held({ command, onCommand, asTalk }) {
  return html`<div class="notice held-line" role="alert"><span>Did you mean <code dir="auto">${command}</code>? Nothing is sent yet.</span>
    <span class="cluster"><button type="button" class="btn btn-brass" onClick=${onCommand}>Send <bdi>${command}</bdi></button>
    ${asTalk && html`<button type="button" class="btn" onClick=${asTalk.send}>${asTalk.word}</button>`}</span></div>`;
}

/** most: characters; more: of the field. */
export function LineBox({ label, placeholder, most, ...more }) {
  const { ui, controls } = useTable();
  const { line = "", held, unsent = [] } = ui;
  const send = (event) => {
    event.preventDefault();
    controls.say(line);
  };
  const talk = held?.isTalk ? { word: "Send as chat", send: () => controls.talk(held.text) } : null;
  return html`${held && html`<${Held} command=${held.command} onCommand=${() => controls.command(held.command)} asTalk=${talk} />`}
    ${unsent.length > 0 && html`<p class="unsent small" role="status">Not sent: ${unsent.map((text) => html`<q dir="auto">${text}</q> `)}</p>`}
    <form class="say" onSubmit=${send}>
      <input type="text" dir="auto" value=${line} onInput=${(event) => controls.writeLine(event.target.value)} maxlength=${most} autocomplete="off" aria-label=${label} placeholder=${placeholder} ...${more} />
      <button class="btn btn-brass" type="submit"><${Icon} name="send" /><span class="sr">Send</span></button>
    </form>`;
}
