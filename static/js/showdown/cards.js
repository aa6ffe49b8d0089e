// Weapons as cards.
import { html } from "preact";
import { Face } from "rr/board/parts";
import { WEAPONS } from "rr/showdown/lore";

/** The face of a weapon: shape, word, and where it goes a number. */
export function WeaponFace({ weapon, note }) {
  return html`<${Face} name=${weapon} word=${WEAPONS[weapon]?.title ?? "Land mine"} note=${note} />`;
}

/** A small card that only shows a weapon, or an empty hand. */
export function SmallCard({ weapon, look = "" }) {
  if (!weapon) return html`<span class=${`mini mini-none ${look}`}><b>Nothing</b></span>`;
  return html`<span class=${`mini card-${WEAPONS[weapon].material} ${look}`}><${WeaponFace} weapon=${weapon} /></span>`;
}
