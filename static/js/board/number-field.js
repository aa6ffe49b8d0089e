// A number that somebody types: the one field for purse, raise and options.
import { html, useState } from "preact";

export function clamp(value, least, most) {
  const whole = Math.trunc(Number(value));
  if (!Number.isFinite(whole)) return least;
  return Math.min(Math.max(whole, least), most);
}

/** The typed text as a number within the limits; null where it is no number. */
export function amountOf(text, least, most) {
  return String(text).trim() === "" || !Number.isFinite(Number(text)) ? null : clamp(text, least, most);
}

/**
 * The text of the field: what is typed, also while it is drawn again, until the number has been changed
 * elsewhere. typed: {text, amount} since the field was entered, null before.
 */
export function textOf(typed, value, least, most) {
  return typed && clamp(typed.amount, least, most) === value ? typed.text : String(value);
}

/**
 * choose(amount) hears each number that is typed, within the limits; on leaving, and at Enter, the
 * field shows the number that counts. The wheel is kept off all number fields by site.js.
 */
export function NumberField({ value, least, most, choose, ...more }) {
  const [typed, type] = useState(null);
  const hear = ({ target: { value: text } }) => {
    const amount = amountOf(text, least, most);
    type({ text, amount: amount ?? value });
    if (amount !== null) choose(amount);
  };
  const leave = () => type(null);
  return html`<input type="number" inputmode="numeric" autocomplete="off" min=${least} max=${most} step="1" value=${textOf(typed, value, least, most)} onInput=${hear} onBlur=${leave} onKeyDown=${(event) => event.key === "Enter" && leave()} ...${more} />`;
}
