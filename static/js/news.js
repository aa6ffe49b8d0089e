// Tables that wait for the user since the last frame; those that waited at loading are on the page.

/** Holds the tables that wait: their addresses and reasons. */
export class News {
  constructor(needs) {
    this.#remember(needs);
  }

  /** Return what is new among all that waits now: another table, or something else at one. */
  of(needs) {
    const fresh = needs.filter((need) => this.known.get(need.url) !== need.what);
    this.#remember(needs);
    return fresh;
  }

  #remember(needs) {
    this.known = new Map(needs.map((need) => [need.url, need.what]));
  }
}

/** A page's title with the number of tables that wait before it; none for none. */
export function counted(title, count) {
  const plain = title.replace(/^\(\d+\) /, "");
  return count ? `(${count}) ${plain}` : plain;
}

/** Whether what waits at an address is a game, not the call of an event or a contest. */
export const isGame = (url) => !/^\/(contests|events)\//.test(url);
