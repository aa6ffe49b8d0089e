// Colyseus with two-seat secret rock-paper-scissors: node colyseus.mjs PORT
// Messages are sent at once; its usual patches of the state every 50 ms would only be slower.
import { createServer } from "node:http";
import { Server, Room } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";

const BEATS = { rock: "scissors", scissors: "paper", paper: "rock" };

class Duel extends Room {
  onCreate() {
    this.maxClients = 2;
    this.autoDispose = false;
    this.game = { number: 1, hands: [null, null], wins: [0, 0], throws: [] };
    this.seats = new Map();
    this.onMessage("throw", (client, hand) => this.throwHand(client, hand));
  }
  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
    client.send("state", this.view(this.seats.get(client.sessionId)));
  }
  throwHand(client, hand) {
    const { game } = this;
    const seat = this.seats.get(client.sessionId);
    if (!(hand in BEATS) || game.hands[seat] !== null) return;
    game.hands[seat] = hand;
    const [one, two] = game.hands;
    if (one !== null && two !== null) {
      if (one !== two) game.wins[BEATS[one] === two ? 0 : 1] += 1;
      game.throws = [...game.throws, [one, two]].slice(-20);
      game.hands = [null, null];
      game.number += 1;
    }
    for (const other of this.clients) other.send("state", this.view(this.seats.get(other.sessionId)));
  }
  view(viewer) {
    const { number, hands, wins, throws } = this.game;
    return {
      number,
      wins,
      throws,
      in: hands.map((hand) => hand !== null),
      hands: hands.map((hand, seat) => (seat === viewer ? hand : null)),
    };
  }
}

const server = new Server({ transport: new WebSocketTransport({ server: createServer() }), greet: false });
server.define("rps", Duel);
await server.listen(Number(process.argv[2]));
console.log("ready");
