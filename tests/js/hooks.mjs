// Given to node with --import, before the tests.
import { register } from "node:module";

register("./resolve.mjs", import.meta.url);
