// A moment of a recorded game between bots: the felt alone.
import { html, render } from "preact";
import { Table } from "rr/board/parts";
import { Felt } from "rr/showdown/felt";

export function show(mount, view) {
  const table = { state: { view, reveal: null, ui: {}, pending: new Set(), late: new Set(), link: "open" }, controls: { ui: {} }, config: {}, clock: () => null };
  render(html`<${Table.Provider} value=${table}><${Felt} /><//>`, mount);
}
