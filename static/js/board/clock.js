// The server's time, as well as this browser can know it.  Pure: the local time is an argument.

const KEPT = 8;
const MOST_DRIFT = 500; // milliseconds by which two true samples may differ beyond their round trips

/** Estimates the difference to the server's clock, by the fastest of the last few answers. */
export class ServerClock {
  #samples = [];

  /** A frame with `now` came without a question: the way took an unknown, positive time. */
  hint(now, localNow) {
    if (!this.#samples.length) this.#samples.push({ rtt: Infinity, offset: Date.parse(now) - localNow });
  }

  /** An answer to a question of ours. */
  learn(now, sentAt, localNow) {
    const rtt = Math.max(0, localNow - sentAt);
    const fresh = { rtt, offset: Date.parse(now) + rtt / 2 - localNow };
    // A sample that contradicts it is of another clock: this computer's has been set since.
    const agrees = (sample) => Math.abs(sample.offset - fresh.offset) <= (sample.rtt + rtt) / 2 + MOST_DRIFT;
    this.#samples = [...this.#samples.filter((sample) => sample.rtt !== Infinity && agrees(sample)), fresh].slice(-KEPT);
  }

  get offset() {
    if (!this.#samples.length) return 0;
    return this.#samples.reduce((best, sample) => (sample.rtt < best.rtt ? sample : best)).offset;
  }

  /** Milliseconds left until an instant of the server's, never below 0. */
  left(dueAt, localNow) {
    return Math.max(0, Date.parse(dueAt) - (localNow + this.offset));
  }
}

/** The one clock of a page: its sockets teach it, and all that shows a time asks it. */
export const siteClock = new ServerClock();

/** The site's time in milliseconds. */
export const siteNow = () => Date.now() + siteClock.offset;

/** Whole seconds as people count them down: 1 until the very end. */
export function seconds(ms) {
  return Math.ceil(ms / 1000);
}

/** Short text for a span: "12", "1:05", "2:03:00". */
export function spanText(ms) {
  const all = seconds(ms);
  if (all < 60) return String(all);
  const parts = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
}
