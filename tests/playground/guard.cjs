// Loaded into the Playground before its own code (node --require): it serves this machine only, and asks
// nobody else. Left to itself it listens on all interfaces, and reaches for telemetry even without it.
"use strict";
const net = require("node:net");

const HERE = new Set([undefined, "localhost", "127.0.0.1", "::1"]);
const { listen } = net.Server.prototype;
const { connect } = net.Socket.prototype;

net.Server.prototype.listen = function (port, ...rest) {
  if (typeof port !== "number") return listen.call(this, port, ...rest);
  return listen.call(this, { port, host: "127.0.0.1" }, ...rest.filter(one => typeof one === "function"));
};

net.Socket.prototype.connect = function (...options) {
  const [first, second] = Array.isArray(options[0]) ? options[0] : options; // net.connect() comes with a list
  const host = typeof first === "object" ? first.host : typeof second === "string" ? second : undefined;
  if (HERE.has(host)) return connect.apply(this, options);
  process.nextTick(() => this.destroy(new Error(`${host} is not this machine`)));
  return this;
};
