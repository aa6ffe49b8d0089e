// On the page of a round: the browser itself compares link and seed with what was shown beforehand.
// Without a secure context it cannot; the command that does the same stands on the page.

const encode = (text) => new TextEncoder().encode(text);
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function seedOf(link, number, digest) {
  const key = await crypto.subtle.importKey("raw", encode(link), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, encode(JSON.stringify(["rock-and-racket/arena", number, digest]))));
}

async function check() {
  const place = document.querySelector("[data-proof]");
  const text = (name) => document.querySelector(`[data-${name}]`).textContent.trim();
  if (!globalThis.crypto?.subtle) {
    place.hidden = true;
    return;
  }
  const found = hex(await crypto.subtle.digest("SHA-256", encode(text("link"))));
  const digest = text("digest").replace("none", "");
  const seed = await seedOf(text("link"), Number(place.dataset.proof), digest);
  const isSound = found === text("commitment") && seed === text("seed");
  place.textContent = isSound ? "your browser has checked it: they match" : "they do not match";
  place.classList.add(isSound ? "tag-good" : "tag-bad");
}

check();
