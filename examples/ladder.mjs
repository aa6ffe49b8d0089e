// Climbs the ladder: node ladder.mjs URL TOKEN; needs Node 22 or newer.
const [url, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const line = new WebSocket(`ws${url.slice(4)}/rpc/ladder`, { headers });
const say = (message) => line.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
const beats = { r: "p", p: "s", s: "r" };
let past;

line.onopen = () => say({ method: "ladder.ready", id: 0 });
line.onmessage = ({ data }) => {
  const { method, params, id } = JSON.parse(data);
  if (method === "ladder.throw") {
    past = params.no > 1 ? past + params.theirs : "";
    const after = [...past].filter((_, no) => no && past[no - 1] === past.at(-1));
    const likely = after.length ? after : ["r", "p", "s"];
    say({ result: beats[likely[Math.floor(Math.random() * likely.length)]], id }); // your idea goes here
  }
  if (method === "ladder.ended") line.onopen(console.log(params));
};
line.onclose = ({ code }) => console.log(`closed with ${code}`);
