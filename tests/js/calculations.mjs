// Calculates what stands in the lines of stdin, one JSON a line, for tests/games/arena/test_calculator.py.
// Whole numbers come and go as text: they are larger than JSON's.
import { createInterface } from "node:readline";

const { MOVES, calculate } = await import("rr/arena/calculator");

const asText = (key, value) => (typeof value === "bigint" ? String(value) : value);

for await (const line of createInterface({ input: process.stdin })) {
  const { counts, ...options } = JSON.parse(line);
  const numbers = Object.fromEntries(MOVES.map((move, place) => [move, BigInt(counts[place])]));
  process.stdout.write(`${JSON.stringify(calculate(numbers, options), asText)}\n`);
}
