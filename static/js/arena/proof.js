// On the page of a round: the browser itself compares the seed with what was shown beforehand.
// Without a secure context it cannot; the command that does the same stands on the page.

async function check() {
  const place = document.querySelector("[data-proof]");
  const text = (name) => document.querySelector(`[data-${name}]`).textContent.trim();
  if (!globalThis.crypto?.subtle) {
    place.hidden = true;
    return;
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text("seed")));
  const found = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const isSound = found === text("commitment");
  place.textContent = isSound ? "your browser has checked it: they match" : "they do not match";
  place.classList.add(isSound ? "tag-good" : "tag-bad");
}

check();
