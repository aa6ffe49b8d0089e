// Weapons as cards.
import { html } from "preact";
import { Face } from "rr/board/parts";
import { wordsOf } from "rr/board/said";
import { capital } from "rr/board/wording";
import { WEAPONS } from "rr/showdown/lore";

const { bare, mine } = wordsOf("showdown");

/** The face of a weapon: shape, word, and where it goes a number. */
export function WeaponFace({ weapon, note }) {
  return html`<${Face} name=${weapon} word=${WEAPONS[weapon]?.title ?? capital(mine)} note=${note} />`;
}

/** A small card that only shows a weapon, or an empty hand. */
export function SmallCard({ weapon, look = "" }) {
  if (!weapon) return html`<span class=${`mini mini-none ${look}`}><b>${capital(bare)}</b></span>`;
  return html`<span class=${`mini card-${WEAPONS[weapon].material} ${look}`}><${WeaponFace} weapon=${weapon} /></span>`;
}
