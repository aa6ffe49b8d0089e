// The look back of a finished town, as the site writes it, and the thumbs in it.
import { html, useEffect, useRef, useState } from "preact";
import { useTable } from "rr/board/parts";
import { post } from "rr/own-page";
import { ASKED } from "rr/people/person";

export function PostMortem() {
  const { config } = useTable();
  const [part, show] = useState("");
  const box = useRef(null);
  const pressed = useRef("");
  useEffect(() => {
    fetch(`${config.story_url}part/`, { headers: ASKED }).then(async (answer) => answer.ok && show(await answer.text())).catch(() => {});
  }, []);
  // The button that was pressed is a new one.
  useEffect(() => void (pressed.current && box.current?.querySelector(`.thumbs [value="${pressed.current}"]`)?.focus()), [part]);
  const send = async (event) => {
    event.preventDefault();
    const { name, value } = event.submitter;
    const said = event.target.querySelector("[data-said]");
    try {
      const answer = await post(event.target.action, { headers: ASKED, body: new URLSearchParams({ [name]: value }) }, config.csrf);
      if (answer.ok) {
        pressed.current = value;
        show(await answer.text());
      } else said.textContent = (await answer.json()).error.message;
    } catch {
      said.textContent = "That did not work. Try again.";
    }
  };
  return part && html`<div ref=${box} onSubmit=${send} dangerouslySetInnerHTML=${{ __html: part }}></div>`;
}
