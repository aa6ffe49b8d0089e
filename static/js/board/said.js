// The words of the page's games. They stand once, in Python (BOARD in a game's words.py), and come with
// the configuration of each board in the page.

const configs = [...document.querySelectorAll('script[id$="-config"]')].map(({ textContent }) => JSON.parse(textContent));
const words = Object.assign({}, ...configs.map((config) => config.words));

/** The words of a game by its slug, or of all Mafia games. */
export function wordsOf(name) {
  return words[name];
}

/** A pattern from Python with its {fields} filled in. */
export function filled(pattern, fields) {
  return pattern.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}
