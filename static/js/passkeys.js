// Passkeys: connects django-allauth's functions to the page's button, and shows their errors.
const WORDS = {
  NotAllowedError: "No passkey was used.",
  InvalidStateError: "You have added this passkey already.",
  SecurityError: "Passkeys need the site's name in the address, not a number.",
};

const button = document.querySelector("[data-passkey]");
const place = document.querySelector("[data-passkey-error]");

function tell(words) {
  place.textContent = words;
  place.hidden = false;
}

function setUp({ passkey, credential, passwordless }) {
  const data = document.getElementById("passkey-data") ? { data: "passkey-data" } : {};
  const ids = { [passkey]: button.id, credential, passwordless, ...data };
  window.allauth.webauthn.forms[`${passkey}Form`]({ ids });
}

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  tell(WORDS[event.detail.exception?.name] ?? "That did not work. Try again, or another way.");
});

if (window.PublicKeyCredential) setUp(button.dataset);
else {
  button.hidden = true;
  if (document.querySelector("[data-passkey-only]")) tell("Passkeys need a secure (https) address.");
}
