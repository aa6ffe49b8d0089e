// boardgame.io with two-seat secret rock-paper-scissors: node boardgame.mjs PORT LOBBY [DIRECTORY]
// With a directory the matches are stored by FlatFile, its durable storage; else in memory.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { Server, FlatFile, Origins } = require("boardgame.io/server");

const BEATS = { rock: "scissors", scissors: "paper", paper: "rock" };
const [port, lobby, directory] = process.argv.slice(2);

const throwHand = {
  // Both throw at the same time, so a move may be made for the state before the other's.
  ignoreStaleStateID: true,
  move: ({ G, playerID }, hand) => {
    if (!(hand in BEATS) || G.hands[playerID] !== null) return "INVALID_MOVE";
    G.hands[playerID] = hand;
    const [one, two] = G.hands;
    if (one === null || two === null) return;
    if (one !== two) G.wins[BEATS[one] === two ? 0 : 1] += 1;
    G.throws = [...G.throws, [one, two]].slice(-20);
    G.hands = [null, null];
    G.number += 1;
  },
};

const game = {
  name: "rps",
  setup: () => ({ number: 1, hands: [null, null], wins: [0, 0], throws: [] }),
  moves: { throwHand },
  turn: { activePlayers: { all: null } },
  disableUndo: true,
  playerView: ({ G, playerID }) => ({
    ...G,
    in: G.hands.map((hand) => hand !== null),
    hands: G.hands.map((hand, seat) => (String(seat) === playerID ? hand : null)),
  }),
};

const server = Server({
  games: [game],
  origins: [Origins.LOCALHOST],
  ...(directory ? { db: new FlatFile({ dir: directory }) } : {}),
});
// The lobby has a port of its own: with the newest Koa its routes are not found on the game's.
server.run({ port: Number(port), lobbyConfig: { apiPort: Number(lobby) } }, () => console.log("ready"));
