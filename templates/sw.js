// The service worker: the page without a network, and notifications.
// It stores that page and its files, never a page of the site.
const CONFIG = {};
const CACHE = `shell ${JSON.stringify(CONFIG)}`;

self.addEventListener("install", (event) => {
  const load = async () => (await caches.open(CACHE)).addAll([CONFIG.offline, ...CONFIG.shell]);
  event.waitUntil(load().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const tidy = async () => Promise.all((await caches.keys()).filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(tidy().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  const kept = request.mode === "navigate" ? CONFIG.offline : pathname;
  if (request.mode !== "navigate" && !CONFIG.shell.includes(pathname)) return;
  event.respondWith(fetch(request).catch(async () => (await caches.match(kept)) ?? Response.error()));
});

self.addEventListener("push", (event) => {
  const { title, body, url } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag: url, icon: CONFIG.icon, badge: CONFIG.icon, data: { url } }));
});

/** The browser has replaced its subscription: the site learns it, if it knew the old one of this user. */
self.addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const before = event.oldSubscription?.endpoint;
    const answer = await fetch(CONFIG.push);
    if (!before || !answer.ok) return;
    const { key, token } = await answer.json();
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const fresh = event.newSubscription ?? (await self.registration.pushManager.subscribe(options));
    const { endpoint, keys } = fresh.toJSON();
    const body = new URLSearchParams({ do: "renew", before, endpoint, p256dh: keys.p256dh, auth: keys.auth });
    await fetch(CONFIG.push, { method: "POST", headers: { "X-CSRFToken": token }, body });
  };
  event.waitUntil(renew());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  const show = async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const there = pages.find((page) => new URL(page.url).pathname === url);
    return there ? there.focus() : self.clients.openWindow(url);
  };
  event.waitUntil(show());
});
