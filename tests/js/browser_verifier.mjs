// Runs the page's own check of proofs in Node.  As second_verifier.mjs: a list in, a list out.
import { readFileSync } from "node:fs";

const { verify } = await import("rr/proofs/verify");
const said = [];
for (const proof of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  let wrong = null;
  try {
    for await (const each of verify(proof)) if (!each) wrong = "nothing was said";
  } catch (problem) {
    wrong = String(problem.message);
  }
  said.push(wrong);
}
console.log(JSON.stringify(said));
