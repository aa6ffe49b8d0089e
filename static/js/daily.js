// Passes a daily result on as text: by the device's own dialog, else by the clipboard.
const text = document.querySelector("[data-shared]");
const button = document.querySelector("[data-share]");
const state = document.querySelector("[data-share-state]");

async function share() {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ text: text.value });
    else {
      await navigator.clipboard.writeText(text.value);
      state.textContent = "Copied";
    }
  } catch {
    text.select();
    state.textContent = "Press Ctrl+C to copy";
  }
}

button.hidden = false;
button.addEventListener("click", share);
