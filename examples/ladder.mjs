// Climbs the ladder: node ladder.mjs URL TOKEN; needs Node 22 or newer.

const [url, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const socket = new WebSocket(`${url.replace("http", "ws")}/rpc/ladder`, { headers });
const say = (message) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
const ready = () => say({ method: "ladder.ready", id: "ready" });
const beats = { r: "p", p: "s", s: "r" };
let after, last;

socket.onopen = ready;
socket.onmessage = ({ data }) => {
  const { method, params, id } = JSON.parse(data);
  if (method === "ladder.throw") {
    const { no, mine, theirs } = params; // the last hands
    if (no === 1) after = {};
    else (after[last] ??= ["r", "p", "s"]).push(theirs);
    last = mine + theirs; // what the opponent throws after two last hands
    const known = after[last] ?? ["r", "p", "s"];
    say({ result: beats[known[Math.floor(Math.random() * known.length)]], id }); // your idea goes here
  } else if (method === "ladder.ended") {
    console.log(JSON.stringify(params));
    ready();
  }
};
socket.onclose = ({ code }) => console.log(`closed with ${code}`);
