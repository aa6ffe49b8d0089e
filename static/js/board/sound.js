// A few short tones, made on the spot; off until switched on.
import { choose, setting } from "rr/settings";

const TUNES = {
  turn: [[660, 0, 0.12], [880, 0.12, 0.16]],
  tick: [[520, 0, 0.04]],
  reveal: [[300, 0, 0.08], [450, 0.08, 0.1]],
  win: [[523, 0, 0.14], [659, 0.14, 0.14], [784, 0.28, 0.3]],
  lose: [[392, 0, 0.18], [294, 0.18, 0.32]],
  chat: [[740, 0, 0.05]],
};
/** The gain of a tone at full volume. */
const LOUDEST = 0.2;
let context = null;

export function isOn() {
  return Boolean(setting("has_sound"));
}

/** Switch sounds; returns the new state. */
export function toggle() {
  const next = !isOn();
  choose("has_sound", next);
  if (next) play("chat");
  return next;
}

function tone(pitch, after, length) {
  const start = context.currentTime + after;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(LOUDEST * setting("volume") / 100, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

export function play(tune) {
  if (!isOn() || !setting("volume")) return;
  context ??= new AudioContext();
  for (const [pitch, after, length] of TUNES[tune]) tone(pitch, after, length);
}

/** A line of chat that came while the line stood. */
export function soundOfTalk(now, before) {
  if (now.chat.length > before.chat.length && now.link === before.link) play("chat");
}

/** The end of a game, for those who played it. */
export function soundOfEnd(now, before) {
  const { seat } = now.view.you;
  const result = now.view.game?.result;
  if (!result || before.view.game?.result || seat === null || !result.winners.length) return;
  play(result.winners.includes(seat) ? "win" : "lose");
}
