// A number of points, chosen by sliding or by typing.
import { html } from "preact";
import { NumberField, clamp } from "rr/board/number-field";
import { useUnit } from "rr/board/parts";

/** Step of the slider for PageUp and PageDown: about a tenth of the way. */
export function pageStep(least, most) {
  return Math.max(1, Math.round((most - least) / 10));
}

/** name: for the ids; word: the label; choose(value): hears every change, within the limits. */
export function Slider({ name, word, least, most, value, choose, children }) {
  const unit = useUnit();
  const take = (given) => choose(clamp(given, least, most));
  const page = (event) => {
    const step = { PageUp: 1, PageDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    take(value + step * pageStep(least, most));
  };
  return html`<div class="raise-box">
    <label class="raise-label" for=${`${name}-range`}>${word}</label>
    <input id=${`${name}-range`} type="range" min=${least} max=${most} step="1" value=${value} onInput=${(event) => take(event.target.value)} onKeyDown=${page} />
    <${NumberField} class="num raise-number" aria-label=${`${word}, in ${unit}`} value=${value} least=${least} most=${most} choose=${choose} />
    ${children}
  </div>`;
}
