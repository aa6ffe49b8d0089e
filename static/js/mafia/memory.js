// What this browser remembers for whoever plays here: how far one has read, what one has noted.
// It stays in the browser and is sent to nobody.

function storage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null; // forbidden: then nothing is remembered
  }
}

/** what: "read/town", "notes"; who: the match and the name, so that two accounts share nothing. */
export function recall(who, what) {
  try {
    return storage()?.getItem(`rr.mafia.${who}.${what}`) ?? "";
  } catch {
    return "";
  }
}

/** Returns whether it could be kept. */
export function remember(who, what, text) {
  try {
    const place = storage();
    if (!place) return false;
    place.setItem(`rr.mafia.${who}.${what}`, text);
    return true;
  } catch {
    return false; // full
  }
}

/** Whose memory a board's is. */
export function ownerOf(view) {
  return `${view.match.public_id}.${view.you.name ?? ""}`;
}
