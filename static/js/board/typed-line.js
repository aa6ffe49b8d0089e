// The meaning of a typed line: a command, talk, or a command that lacks its mark. Pure.

const UNSEEN = /\p{Cf}/gu;
/** Signs before a line that nobody sees, as in economy/texts.py. */
const INKLESS = /^[\s\p{M}\p{C}\u115f\u1160\u2800\u3164\uffa0]+/u;
/** No letters, then the name, the signs that stick to it, and the other words. */
const PARTS = /^[^\p{L}\p{N}]*([\p{L}\p{N}_]+)[^\p{L}\p{N}\s]*\s*(.*)$/su;

/** A line as the site reads it: without characters that nobody sees. */
function bare(text) {
  return text.replace(UNSEEN, "").replace(INKLESS, "").trim();
}

/** The command in a line, null if it has none of the marks. */
export function commandIn(text) {
  const line = bare(text);
  return /^[!/]/.test(line) ? line : null;
}

/**
 * The command that a line without a mark would be with one: "rock Ann", or with the mark of another
 * keyboard. counts: the most words after each name. Null for talk.
 */
export function commandMeant(text, counts) {
  const line = bare(text.normalize("NFKC"));
  const [, name, rest] = PARTS.exec(line) ?? [];
  if (!name) return null;
  const words = rest.split(/\s+/).filter(Boolean);
  const known = name.toLowerCase();
  const isOne = Object.hasOwn(counts, known) && words.length <= counts[known];
  return isOne || /^[!/]/.test(line) ? `!${[name, ...words].join(" ")}` : null;
}
