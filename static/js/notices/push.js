// Notifications in this browser: ask for them, turn them on and off.
import { post } from "rr/own-page";

const worker = () => navigator.serviceWorker.ready;

export const isPossible = () => "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** Tell the site what the user does about notifications. */
export async function tell(url, fields) {
  const answer = await post(url, { body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(`notifications: ${answer.status}`);
  return answer;
}

/** A key as the site writes it: base64 of addresses, without its end. */
function written(buffer) {
  const bytes = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Whether a subscription is for the site's present key; some browsers do not tell. */
function isFor(key, { options }) {
  return !options?.applicationServerKey || written(options.applicationServerKey) === key;
}

/** Whether this browser gets this user's notifications: the site must know it, and by its key. */
export async function isOn(url) {
  if (Notification.permission !== "granted") return false;
  const subscription = await (await worker()).pushManager.getSubscription();
  if (!subscription) return false;
  const answer = await tell(url, { do: "look", endpoint: subscription.endpoint });
  const { key, is_known: isKnown } = await answer.json();
  return isKnown && isFor(key, subscription);
}

/** Remember that the question was answered, so that it is not put again. */
export function noteAsked(url) {
  return tell(url, { do: "asked" });
}

/** Ask the browser, then subscribe; resolves to "on", "denied" or "failed". Only after a press. */
export async function turnOn(url, key) {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  try {
    const { pushManager } = await worker();
    const old = await pushManager.getSubscription();
    if (old && !isFor(key, old)) await old.unsubscribe(); // else the browser refuses the new key
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    await tell(url, { do: "on", endpoint, p256dh: keys.p256dh, auth: keys.auth });
    return "on";
  } catch {
    return "failed";
  }
}

export async function turnOff(url) {
  const subscription = await (await worker()).pushManager.getSubscription();
  if (!subscription) return;
  await tell(url, { do: "off", endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}
