/**
 * `idle-and-slow-clients.ts URL PATH HEADERS SECONDS`: opens 2,000 idle connections, 500 that send one byte of the
 * request per second, and 500 that read the response at 10 kB/s. Prints "ready" when all of them are connected.
 */
import { connect, type Socket } from "node:net";
import { readSlowly, requestFromArguments } from "./raw-request.ts";

/** Connecting in steps keeps the listen queue of the server short. */
const CONNECT_STEP = 100;
const BYTE_INTERVAL_MS = 1000;

const { hostname, port, text, rest } = requestFromArguments();
const [seconds] = rest.map(Number) as [number];

const groups: readonly [count: number, onConnect: (socket: Socket) => void][] = [
  [2000, () => {}],
  [500, sendSlowly],
  [500, requestAndReadSlowly],
];

for (const [count, onConnect] of groups) {
  for (let open = 0; open < count; open += CONNECT_STEP) {
    const step = Math.min(CONNECT_STEP, count - open);
    await Promise.all(Array.from({ length: step }, () => openConnection(onConnect)));
  }
}
console.log("ready");
setTimeout(() => process.exit(0), seconds * 1000);

function openConnection(onConnect: (socket: Socket) => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, hostname, () => {
      onConnect(socket);
      resolve();
    });
    socket.on("error", () => {});
  });
}

function sendSlowly(socket: Socket): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text[sent++ % text.length]!), BYTE_INTERVAL_MS);
  // The server closes slow connections after its timeout. The client connects again.
  socket.on("close", () => {
    clearInterval(timer);
    void openConnection(sendSlowly);
  });
}

function requestAndReadSlowly(socket: Socket): void {
  socket.write(text);
  readSlowly(socket);
}
