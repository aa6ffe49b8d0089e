// A round that is over, on the floor of the arena as it was shown then, and the button that shares it.
import { html, render } from "preact";
import { Floor } from "rr/arena/floor";
import { viewOf } from "rr/arena/store";
import { Table } from "rr/board/parts";
import { ShareButton } from "rr/replays/share";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const table = { state: { view: viewOf(read("round-frame")) }, config: read("round-config") };
render(html`<${Table.Provider} value=${table}><${Floor} /><//>`, document.getElementById("floor"));
render(html`<${ShareButton} address=${() => location.href} />`, document.getElementById("share"));
