// Words that the Mafia games share. Pure.

const UNITS = [[86_400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];

function counted(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
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

/** The length of a phase as people choose it: "2 minutes", "1 day", "90 seconds". */
export function lengthWords(seconds) {
  const [size, word] = UNITS.find(([one]) => seconds >= one && seconds % one === 0) ?? UNITS.at(-1);
  return counted(seconds / size, word);
}

/** "a, b and c"; empty for none. */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
