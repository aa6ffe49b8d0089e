// Words that every board says alike. Pure.

export function signed(number) {
  return number > 0 ? `+${number}` : String(number).replace("-", "−");
}

/** The page's own words for refusals it can explain better; else the server's sentence. */
const WORDS = {
  stale: "The table had already moved on. Look again, then choose.",
  busy: "The house is busy. Try again in a moment.",
  rate_limited: "Easy: too many at once. Wait a moment.",
  maintenance: "The house is closing for a moment. Your seat is kept.",
};

export function refusal(frame) {
  return WORDS[frame.code] ?? sentence(frame.message ?? "That did not work.");
}

/** What an error says, as a sentence. */
export function sentence(text) {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
