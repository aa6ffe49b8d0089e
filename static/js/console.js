// The live console of the page for programs: one socket, what goes out and what comes in.

import { LiveSocket } from "rr/live-socket";

const KEPT = 200;
/** The id of the console's own calls, which only ask whether the line still carries anything. */
const BEAT = "heartbeat";
const box = globalThis.document?.querySelector("[data-console]");

/** A public name out of what somebody pasted: the name itself or an address that ends with it. */
export function publicIdIn(text) {
  return text.trim().split(/[?#]/)[0].split("/").filter(Boolean).at(-1) ?? "";
}

/** The text of a call; throws a SyntaxError when the parameters are no JSON. */
export function callText(id, method, params) {
  const given = params.trim() ? { params: JSON.parse(params) } : {};
  return JSON.stringify({ jsonrpc: "2.0", id, method, ...given });
}

/** A frame as several lines, or as it is when it is not JSON. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1).replace(/\n\s*/g, " ");
  } catch {
    return text;
  }
}

const LINKS = { open: "connected", lost: "reconnecting…", closed: "not connected" };

class Console {
  #socket = null;
  #hasOpened = false;
  #calls = 0;

  constructor(element) {
    this.config = JSON.parse(document.getElementById("console-config").textContent);
    this.connecting = element.querySelector("[data-connect]");
    this.sending = element.querySelector("[data-send]");
    this.frames = element.querySelector("[data-frames]");
    this.state = element.querySelector("[data-line-state]");
    this.#fillMethods();
    this.connecting.addEventListener("submit", (event) => this.#toggle(event));
    this.sending.addEventListener("submit", (event) => this.#send(event));
  }

  #fillMethods() {
    const select = this.sending.elements.namedItem("method");
    const params = this.sending.elements.namedItem("params");
    select.replaceChildren(...this.config.methods.map(({ name }) => new Option(name, name)));
    const suggest = () => {
      const { params: example } = this.config.methods[select.selectedIndex];
      params.value = Object.keys(example).length ? JSON.stringify(example) : "";
    };
    select.addEventListener("change", suggest);
    suggest();
  }

  #toggle(event) {
    event.preventDefault();
    if (this.#socket) {
      this.#socket.close();
      return this.#linked("closed", "");
    }
    const name = publicIdIn(this.connecting.elements.namedItem("match").value);
    this.#hasOpened = false;
    this.#say("connecting…", false);
    this.#socket = new LiveSocket(this.config.socket.replace("PUBLIC_ID", encodeURIComponent(name)), {
      beat: () => ({ jsonrpc: "2.0", id: BEAT, method: "server_time" }),
      isAnswer: ({ id }) => id === BEAT,
      onFrame: (frame) => this.#show("←", JSON.stringify(frame)),
      onLink: (link, words) => this.#linked(link, words),
    });
  }

  #linked(link, words) {
    this.#hasOpened ||= link === "open";
    const isRefused = link === "lost" && !this.#hasOpened; // there is no such match, or not for this user
    if (isRefused || link === "ended" || link === "closed") {
      this.#socket.close();
      this.#socket = null;
    }
    this.#say(isRefused ? "refused or lost" : (LINKS[link] ?? words), link === "open");
  }

  #say(word, isOpen) {
    this.state.textContent = word;
    this.state.classList.toggle("live-on", isOpen);
    this.connecting.querySelector("button").textContent = this.#socket ? "Disconnect" : "Connect";
    this.sending.querySelector("button").disabled = !isOpen;
  }

  #send(event) {
    event.preventDefault();
    const [method, params] = ["method", "params"].map((name) => this.sending.elements.namedItem(name));
    try {
      const text = callText(++this.#calls, method.value, params.value);
      params.setCustomValidity("");
      this.#socket.send(JSON.parse(text));
      this.#show("→", text);
    } catch (problem) {
      params.setCustomValidity(`The parameters are not JSON: ${problem.message}`);
      params.reportValidity();
      params.addEventListener("input", () => params.setCustomValidity(""), { once: true });
    }
  }

  #show(arrow, text) {
    const line = document.createElement("pre");
    const mark = document.createElement("b");
    line.className = arrow === "→" ? "frame frame-out" : "frame";
    mark.textContent = `${arrow} `;
    line.append(mark, pretty(text));
    this.frames.querySelector("p")?.remove();
    this.frames.append(line);
    while (this.frames.children.length > KEPT) this.frames.firstChild.remove();
    this.frames.scrollTop = this.frames.scrollHeight;
  }
}

if (box) new Console(box);
