// The viewer's settings of boards: stored with the account; a guest's browser keeps its own.
import { post } from "rr/own-page";

const KEY = "rr.settings";
const NOBODYS = '{ "url": null, "push_url": null, "values": {} }'; // outside a page
const carried = globalThis.document?.getElementById?.("board-settings")?.textContent;
const { url, push_url: pushUrl, values } = JSON.parse(carried ?? NOBODYS);
if (!url) Object.assign(values, kept());

/** The settings that a guest chose in this browser. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** The address that turns this user's notifications on; null for guests. */
export { pushUrl };

export function setting(name) {
  return values[name];
}

/** Choose a setting; it counts at once.  Resolves to whether it was stored. */
export async function choose(name, value) {
  values[name] = value;
  try {
    if (!url) {
      localStorage.setItem(KEY, JSON.stringify({ ...kept(), [name]: value }));
      return true;
    }
    return (await post(url, { body: new URLSearchParams({ name, value }), keepalive: true })).ok;
  } catch {
    return false; // without storage or a connection it counts on this page only
  }
}
