// Instants of a page in the viewer's time zone.  Without this script they stand there in UTC.

const FORMS = {
  day: { day: "numeric", month: "long", year: "numeric" },
  minute: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  clock: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
};

/** An instant in words: "21 March 2027", "21 Mar, 19:00", "19:00"; `form`: a key of FORMS. */
export function timeWords(at, form, zone = undefined) {
  return new Intl.DateTimeFormat("en-GB", { ...FORMS[form], timeZone: zone }).format(new Date(at));
}

/** Write the instants of a part of the page: `<time datetime data-local="minute">`. */
export function localise(root) {
  for (const time of root.querySelectorAll("time[data-local]")) time.textContent = timeWords(time.dateTime, time.dataset.local);
}

if (globalThis.document) localise(document);
