// Given to node with --import, before the tests: modules by the names of the pages' import map, and a
// page that holds nothing but a board's configuration with the games' real words.
import { register } from "node:module";

register("./resolve.mjs", import.meta.url);
globalThis.document = {
  documentElement: { dataset: { sprite: "" } },
  querySelector: () => null,
  querySelectorAll: (selector) => (selector.startsWith("script") ? [{ textContent: process.env.CONFIG }] : []),
};
