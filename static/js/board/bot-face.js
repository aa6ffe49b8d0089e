// The faces of bots. Pure: a bot looks the same in the list and at every table.
import { html } from "preact";

/** Brows and mouth of a face, one for each manner; a fifth manner begins again. */
const MANNERS = [
  "M11 16l5-3M29 16l-5-3M15 29q5-4 10 0",
  "M11 15h5M24 15h5M15 28h10",
  "M11 14q2-2 5 0M24 14q2-2 5 0M13 26q7 7 14 0",
  "M11 13l5 3M29 13l-5 3M14 28q6-3 12 0",
];
/** The hat of each strength: none, a cap, a fedora. */
const HATS = ["", "M8 12q12-12 24 0h4", "M3 12h34M10 12l3-9q7 3 14 0l3 9"];

export function BotFace({ manner, strength }) {
  return html`<svg class="bot-face" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="20" cy="22" r="15" /><path d=${MANNERS[manner % MANNERS.length]} /><path d=${HATS[strength % HATS.length]} />
    <circle class="bot-eye" cx="14" cy="20" r="1.6" /><circle class="bot-eye" cx="26" cy="20" r="1.6" />
  </svg>`;
}

/** The face of a bot as {manner, strength}: by its place in the list, for others by the letters of the name. */
export function faceOf(name, bots = []) {
  const known = bots.find((bot) => bot[0] === name);
  if (!known) {
    const sum = [...name].reduce((all, letter) => all + letter.codePointAt(0), 0);
    return { manner: sum % MANNERS.length, strength: sum % HATS.length };
  }
  const [manner, strength] = [1, 2].map((part) => [...new Set(bots.map((bot) => bot[part]))].indexOf(known[part]));
  return { manner, strength };
}
