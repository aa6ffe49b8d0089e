// Lets the tests import the board's modules by the names the pages' import map gives them.
import { readFile } from "node:fs/promises";

const ROOT = new URL("../../static/", import.meta.url);
const PLACES = { preact: "vendor/htm/preact.js", partysocket: "vendor/partysocket/ws.js" };

function place(name) {
  if (PLACES[name]) return new URL(PLACES[name], ROOT).href;
  return name.startsWith("rr/") ? new URL(`js/${name.slice(3)}.js`, ROOT).href : null;
}

export async function resolve(name, context, next) {
  const url = place(name);
  return url ? { url, shortCircuit: true } : next(name, context);
}

export async function load(url, context, next) {
  if (!url.startsWith(ROOT.href)) return next(url, context);
  return { format: "module", source: await readFile(new URL(url)), shortCircuit: true };
}
