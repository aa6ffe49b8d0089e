// Words that all boards have in common. Pure.

const UNITS = [[86_400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];

export function signed(number) {
  return number > 0 ? `+${number}` : String(number).replace("-", "−");
}

export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** "1 win", "1,200 wins". */
export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** "a, b and c"; empty for none. */
export function listed(words, last = "and") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** A time that is left: "2 days 3 h", "3 h 20 min", "12 min", "1:05", "9 s". */
export function spanWords(ms) {
  const all = Math.ceil(ms / 1000);
  if (all < 60) return `${all} s`;
  if (all < 600) return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
  const minutes = Math.ceil(all / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days) return `${counted(days, "day")}${hours ? ` ${hours} h` : ""}`;
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** A chosen length: "2 minutes", "1 day", "90 seconds". */
export function lengthWords(seconds) {
  const [size, word] = UNITS.find(([one]) => seconds >= one && seconds % one === 0) ?? UNITS.at(-1);
  return counted(seconds / size, word);
}

/** The page's words for some refusals; others are shown in the server's words. */
const WORDS = {
  stale: "Too late: the table has moved on.",
  over: "The connection was lost before an answer came, and the game has moved on: it is not sent again.",
  busy: "The site is busy. Try again in a moment.",
  rate_limited: "Too many at once. Wait a moment.",
  maintenance: "The site is restarting. Your seat is kept.",
};

export function refusal(frame) {
  return WORDS[frame.code] ?? sentence(frame.message ?? "That did not work.");
}

/** An error's text as a sentence. */
export function sentence(text) {
  return `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}`;
}
