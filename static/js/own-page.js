// This page as the site would send it now: who is logged in, whether it is open to them, a fresh token.

const SHARED_FOR = 2_000; // who asks at the same time asks once

/** Whom this page was made for; "" for a guest. */
export const viewer = () => document.documentElement.dataset.viewer ?? "";

let asked = null;
let renewed = null;

/** {viewer, isOpen, token} by the browser's current cookies; null: no answer. */
export function askPage() {
  asked ??= readPage().finally(() => setTimeout(() => (asked = null), SHARED_FOR));
  return asked;
}

async function readPage() {
  try {
    const answer = await fetch(location.href);
    if (answer.status >= 500) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = page.querySelector("[name=csrfmiddlewaretoken]")?.value ?? null;
    return { viewer: page.documentElement.dataset.viewer ?? "", isOpen: answer.ok, token };
  } catch {
    return null;
  }
}

/** A log-in in another tab has made the token of this page stale: take a new one into all its forms. */
async function renew(isForAnyone) {
  const page = await askPage();
  if (!page?.token) return null;
  if (page.viewer !== viewer()) return isForAnyone ? page.token : null;
  renewed = page.token;
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = renewed;
  return renewed;
}

/**
 * Post with the page's token, or with one that its configuration gives; a stale one is renewed once.
 * isForAnyone: it may also be done as the user who is logged in by now.
 */
export async function post(url, { headers = {}, isForAnyone = false, ...given }, token = null) {
  const send = (used) => fetch(url, { method: "POST", ...given, headers: { ...headers, "X-CSRFToken": used } });
  const answer = await send(renewed ?? token ?? document.querySelector("[name=csrfmiddlewaretoken]").value);
  const fresh = answer.status === 403 ? await renew(isForAnyone) : null;
  return fresh ? send(fresh) : answer;
}
