// The form that opens a Mafia game: the appointed start is given in local time.
import { siteClock, siteNow } from "rr/board/clock";

const begins = document.getElementById("id_begins");
const behind = document.getElementById("id_behind");
const label = document.querySelector('label[for="id_begins"]');
const MINUTE = 60_000;

/** A date as the field writes it, in local time. */
function written(date) {
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}

function note() {
  const date = begins.value ? new Date(begins.value) : null;
  // The zone's distance at that instant: summer time may begin before.
  behind.value = date ? String(date.getTimezoneOffset()) : "";
}

// A form that was refused comes back with the local time that was sent.
note();
siteClock.hint(document.querySelector("[data-now]").dataset.now, Date.now());
begins.min = written(new Date(siteNow() + 5 * MINUTE));
const zone = new Intl.DateTimeFormat([], { timeZoneName: "long" }).formatToParts(new Date()).find(({ type }) => type === "timeZoneName");
label.textContent = `Begins (your time${zone ? `, ${zone.value}` : ""})`;
begins.addEventListener("input", note);
