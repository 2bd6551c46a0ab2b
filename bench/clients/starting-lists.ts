/**
 * `starting-lists.ts URL PATH HEADERS COUNT DELAY_MS`: opens COUNT connections, prints "ready", and requests the list on
 * all of them at once after the delay. Reads the lists as fast as they come until it is ended.
 */
import { connect, type Socket } from "node:net";
import { requestFromArguments } from "./raw-request.ts";

/** Connecting in steps keeps the listen queue of the server short. */
const CONNECT_STEP = 100;

const { hostname, port, text, rest } = requestFromArguments();
const [count, delayMs] = rest.map(Number) as [number, number];

const sockets: Socket[] = [];
while (sockets.length < count) {
  const step = Math.min(CONNECT_STEP, count - sockets.length);
  sockets.push(...(await Promise.all(Array.from({ length: step }, openConnection))));
}
console.log("ready");
await Bun.sleep(delayMs);
for (const [index, socket] of sockets.entries()) socket.write(uncached(index));

/** Returns the request with a query that no other one has. The API ignores it, but the response cache does not. */
function uncached(index: number): string {
  return text.replace(" HTTP/1.1", `?reader=${process.pid}-${index} HTTP/1.1`);
}

function openConnection(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, hostname, () => resolve(socket));
    socket.on("data", () => {});
    socket.on("error", () => {});
  });
}
