// Holds a conversation with a Direct Line service, by Microsoft's own client, and prints what it saw:
//   node converse.js DOMAIN socket|polling
//   node converse.js DOMAIN late
// The second streams an answer as a bot does, and prints the texts that clients get who come in the
// middle of it and at its end. One JSON object on stdout: the activities that arrived, and the id of each that was sent.
"use strict";

const WebSocket = require("ws");
const sockets = [];
global.WebSocket = class extends WebSocket {
  constructor(...args) { super(...args); sockets.push(this); }
};
global.XMLHttpRequest = require("xhr2");
global.window = global; // rxjs looks for XMLHttpRequest there

const { ConnectionStatus, DirectLine } = require("botframework-directlinejs");

const [domain, way] = process.argv.slice(2);
const user = { id: "user-of-node", name: "Node" };
const seen = [];
const sent = {};
const waiting = [];

function arrived(activity) {
  seen.push(activity);
  for (const wait of waiting.filter(({ test }) => test(activity))) {
    waiting.splice(waiting.indexOf(wait), 1);
    wait.resolve(activity);
  }
}

function until(test) {
  const found = seen.find(test);
  return found ? Promise.resolve(found) : new Promise(resolve => waiting.push({ test, resolve }));
}

const said = words => activity => activity.from.role === "bot" && (activity.text || "").includes(words);

function post(line, text, attachments) {
  return new Promise((resolve, reject) =>
    line.postActivity({ type: "message", text, from: user, attachments }).subscribe(id => { sent[text] = id; resolve(id); }, reject));
}

async function token() {
  const response = await fetch(`${domain}/tokens/generate`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ user }),
  });
  return (await response.json()).token;
}

async function late() {
  const first = new DirectLine({ domain, token: await token() });
  first.activity$.subscribe(arrived);
  await until(said("Hello"));
  const send = async activity => {
    const path = `/v3/conversations/${first.conversationId}/activities`;
    const body = JSON.stringify({ type: "typing", ...activity });
    return (await (await fetch(new URL(path, domain), { method: "POST", headers: { "Content-Type": "application/json" }, body })).json()).id;
  };
  const streamId = await send({ text: "1", channelData: { streamType: "streaming", streamSequence: 1 } });
  for (let piece = 2; piece <= 600; piece++)
    await send({ text: `${piece}`, channelData: { streamType: "streaming", streamSequence: piece, streamId } });
  await until(said("600"));
  const join = () => new Promise(resolve => {
    const texts = [];
    const line = new DirectLine({ domain, token: first.token, conversationId: first.conversationId });
    line.activity$.subscribe(({ text }) => {
      texts.push(text);
      if (["600", "end"].includes(text)) resolve([...texts]);
    });
  });
  const middle = await join();
  await send({ type: "message", text: "end", channelData: { streamType: "final", streamId } });
  await until(said("end"));
  const end = await join();
  console.log(JSON.stringify({ watched: seen.map(({ text }) => text), middle, end }));
  process.exit(0);
}

async function main() {
  const line = new DirectLine({ domain, token: await token(), webSocket: way === "socket", pollingInterval: 200 });
  const states = [];
  line.connectionStatus$.subscribe(state => states.push(ConnectionStatus[state]));
  line.activity$.subscribe(arrived);
  await until(said("Hello"));
  await post(line, "How often should I water a fern?");
  await until(said("twice a week"));
  if (way === "socket") {
    // The socket dies, something is said meanwhile, and the client comes back for it (3 to 15 s later).
    const lost = sockets.at(-1);
    lost.terminate();
    await post(line, "Who won the cup?");
    await until(said("found nothing"));
  } else {
    await post(line, "Who won the cup?");
    await until(said("found nothing"));
  }
  line.end();
  console.log(JSON.stringify({ seen, sent, states, sockets: sockets.length }));
  process.exit(0);
}

(way === "late" ? late : main)().catch(error => { console.error(error); process.exit(1); });
