// The admin's library names neither its main part nor its icons for who cannot see them.
const hide = (icon) => {
  icon.setAttribute("aria-hidden", "true");
  const control = icon.closest("a, button");
  const said = control?.cloneNode(true);
  said?.querySelectorAll(".material-symbols-outlined").forEach((each) => each.remove());
  if (!control || said.textContent.trim() || control.title || control.ariaLabel) return;
  control.setAttribute("aria-label", icon.textContent.trim().replaceAll("_", " "));
};

document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("main")?.setAttribute("role", "main");
  const all = () =>
    document.querySelectorAll(".material-symbols-outlined:not([aria-hidden])").forEach(hide);
  all();
  new MutationObserver(all).observe(document.body, { childList: true, subtree: true });
});
