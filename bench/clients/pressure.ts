/**
 * `pressure.ts URL PATH HEADERS SECONDS`: 2,000 clients that ask for nothing, 500 that send a byte of their request a
 * second, and 500 that read a list at 10 kB/s. Says "ready" when all of them are connected.
 */
import { connect, type Socket } from "node:net";

const [, , address, path, headers, seconds] = process.argv;
const { hostname, port } = new URL(address!);
const fields = Object.entries(JSON.parse(headers!)).map(([name, value]) => `${name}: ${value}\r\n`);
const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${fields.join("")}\r\n`;
const RATE = 10_000;

const kinds: readonly [number, (socket: Socket) => void][] = [
  [2000, () => {}],
  [500, send],
  [500, read],
];

for (const [count, begin] of kinds) {
  for (let at = 0; at < count; at += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - at) }, () => dial(begin)));
  }
}
console.log("ready");
setTimeout(() => process.exit(0), Number(seconds) * 1000);

function dial(begin: (socket: Socket) => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      begin(socket);
      resolve();
    });
    socket.on("error", () => {});
  });
}

function send(socket: Socket): void {
  let at = 0;
  const dripping = setInterval(() => socket.write(request[at++ % request.length]!), 1000);
  // Told that it is too slow, it comes again.
  socket.on("close", () => {
    clearInterval(dripping);
    void dial(send);
  });
}

function read(socket: Socket): void {
  socket.write(request);
  socket.on("data", (chunk) => {
    socket.pause();
    setTimeout(() => socket.resume(), (chunk.length / RATE) * 1000);
  });
}
