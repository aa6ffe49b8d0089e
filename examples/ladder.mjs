// Climbs the ladder: node ladder.mjs URL TOKEN; needs Node 22 or newer.

const [url, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const socket = new WebSocket(`${url.replace("http", "ws")}/rpc/ladder`, { headers });
const say = (message) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
const ready = () => say({ method: "ladder.ready", id: "ready" });
let counts = {};

socket.onopen = ready;
socket.onmessage = ({ data }) => {
  const { method, params, id } = JSON.parse(data);
  if (method === "ladder.throw") {
    if (params.no === 1) counts = { r: 0, p: 0, s: 0 };
    else counts[params.theirs] += 1; // theirs: the opponent's last hand
    const likely = Object.keys(counts).reduce((a, b) => (counts[b] > counts[a] ? b : a));
    const hand = { r: "p", p: "s", s: "r" }[likely]; // your own idea goes here
    say({ result: hand, id });
  } else if (method === "ladder.ended") {
    console.log(JSON.stringify(params));
    ready();
  }
};
socket.onclose = ({ code }) => console.log(`closed with ${code}`);
