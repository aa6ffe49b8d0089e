// Notifications of a browser: on is only what the site knows. Run: pytest tests/js
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const KEY = "BPk_-A8w";
const bytes = (key) => Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0)).buffer;
const site = { key: KEY, known: new Set(), told: [] };
let browser;

function subscriptionFor(key) {
  const endpoint = `https://push.example.net/${key}`;
  return {
    endpoint,
    options: { applicationServerKey: bytes(key) },
    toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
    async unsubscribe() {
      browser.subscription = null;
    },
  };
}

const pushManager = {
  getSubscription: async () => browser.subscription,
  async subscribe({ applicationServerKey: key }) {
    if (browser.subscription && browser.subscription.endpoint !== subscriptionFor(key).endpoint) throw new Error("InvalidStateError");
    browser.subscription = subscriptionFor(key);
    return browser.subscription;
  },
};

Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: { ready: Promise.resolve({ pushManager }) } }, configurable: true });
globalThis.Notification = { permission: "granted", requestPermission: async () => "granted" };
document.querySelector = () => ({ value: "token" });
globalThis.fetch = async (url, { body }) => {
  const given = Object.fromEntries(body);
  site.told.push(given.do);
  if (site.isAway) return { ok: false, status: 502 };
  if (given.do === "on") site.known.add(given.endpoint);
  if (given.do === "off") site.known.delete(given.endpoint);
  return { ok: true, status: 200, json: async () => ({ key: site.key, is_known: site.known.has(given.endpoint) }) };
};

const { isOn, turnOff, turnOn } = await import("rr/notices/push");

beforeEach(() => {
  Object.assign(site, { key: KEY, known: new Set(), told: [], isAway: false });
  browser = { subscription: null };
});

test("what was turned on is on, and off is off", async () => {
  assert.equal(await isOn("/browser/"), false);
  assert.equal(await turnOn("/browser/", KEY), "on");
  assert.equal(await isOn("/browser/"), true);
  await turnOff("/browser/");
  assert.equal(await isOn("/browser/"), false);
});

test("a subscription that the site does not know is not on, and can be turned on", async () => {
  await turnOn("/browser/", KEY);
  site.known.clear(); // a log-out, another password, a sixth browser, a push service's 410, another user
  assert.equal(await isOn("/browser/"), false);
  assert.equal(await turnOn("/browser/", KEY), "on");
  assert.equal(await isOn("/browser/"), true);
});

test("a subscription for another key of the site is not on, and is replaced", async () => {
  await turnOn("/browser/", KEY);
  site.key = "BAAA";
  assert.equal(await isOn("/browser/"), false);
  assert.equal(await turnOn("/browser/", site.key), "on");
  assert.equal(await isOn("/browser/"), true);
});

test("a site that does not answer is not said to have them on", async () => {
  await turnOn("/browser/", KEY);
  site.isAway = true;
  await assert.rejects(isOn("/browser/"));
});
