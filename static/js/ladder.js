// The ladder's page: a button below each program copies it, or selects it where that is not allowed.
for (const button of document.querySelectorAll("[data-copies]")) {
  const code = document.getElementById(button.dataset.copies);
  const said = button.nextElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      said.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      said.textContent = document.execCommand("copy") ? "Copied" : "Selected: copy it by Ctrl+C or ⌘C";
    }
  });
}
