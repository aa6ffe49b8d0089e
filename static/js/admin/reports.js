// Keys of the reports page: an element with `data-key` is pressed by that key.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const typing = event.target.closest("textarea, select, input:not([type=radio], [type=checkbox])");
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  const pressed = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!pressed) return;
  event.preventDefault();
  pressed.click();
});
