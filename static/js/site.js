// Small comforts on every page; all of it works without JavaScript too.

/** Close folding menus on Escape and on a click elsewhere. */
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (menu !== except) menu.removeAttribute("open");
  }
}

document.addEventListener("click", (event) => closeMenus(event.target.closest("details[data-menu]")));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeMenus(null);
});

/** A part of a page that is read when it is opened: the address is in `data-part`. */
async function readPart({ target }) {
  if (!target.open || !target.dataset?.part) return;
  const box = target.lastElementChild;
  try {
    const answer = await fetch(target.dataset.part, { headers: { "X-Requested-With": "fetch" } });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status)); // redirected: the log-in page
    box.innerHTML = await answer.text();
  } catch {
    box.textContent = "That did not work.";
  }
}

document.addEventListener("toggle", readPart, true);

/**
 * The wheel scrolls the page and changes no number: a browser steps the number field that has the focus,
 * but not one that cannot be written.
 */
document.addEventListener(
  "wheel",
  ({ target }) => {
    if (target.type !== "number" || target !== document.activeElement || target.readOnly) return;
    target.readOnly = true;
    setTimeout(() => {
      target.readOnly = false;
    });
  },
  { passive: true },
);

/** Show a look at once and mark its button, in every switch on the page. */
function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const button of document.querySelectorAll("[data-theme-form] button[name=theme]")) {
    button.setAttribute("aria-pressed", String(button.value === theme));
  }
}

/** Change the look without leaving the page; if that fails, let the form do it. */
async function changeTheme(event) {
  const form = event.target.closest("[data-theme-form]");
  if (!form || !event.submitter) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  body.delete("csrfmiddlewaretoken"); // it goes in a header, and may be renewed
  showTheme(event.submitter.value);
  closeMenus(null);
  try {
    const { post } = await import("rr/own-page"); // a page of an error has no import map
    const answer = await post(form.action, { body, redirect: "manual", isForAnyone: true });
    if (!answer.ok && answer.type !== "opaqueredirect") throw new Error(String(answer.status));
  } catch {
    form.submit();
  }
}

document.addEventListener("submit", changeTheme);

/** Salts are made in advance, since hashing takes a moment; a page without such a form needs none. */
let salts = null;
if (document.querySelector("[name=salt_hash], #board")) {
  import("rr/board/salts").then(({ Salts }) => (salts = new Salts()), () => {});
}

/** A form that starts a game in one press brings the hash of a salt, which the board reveals. */
document.addEventListener("submit", ({ target }) => {
  const field = target.elements.namedItem("salt_hash");
  if (field && salts) field.value = salts.field().salt_hash ?? "";
});

/** The page without a network and notifications come from the service worker; it can wait. */
addEventListener("load", () => navigator.serviceWorker?.register("/sw.js").catch(() => {}));

/** A button beside a password shows what was typed, until it is pressed again or sent. */
for (const button of document.querySelectorAll("[data-show]")) {
  const field = document.getElementById(button.dataset.show);
  const show = (isShown) => {
    field.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  button.hidden = false;
  button.addEventListener("click", () => show(field.type === "password"));
  field.form?.addEventListener("submit", () => show(false));
}
