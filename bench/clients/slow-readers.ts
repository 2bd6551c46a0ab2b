/** `slow-readers.ts URL PATH HEADERS COUNT SECONDS`: so many readers of a list, each of 10 kB/s. */
import { connect } from "node:net";

const [, , address, path, headers, count, seconds] = process.argv;
const { hostname, port } = new URL(address!);
const fields = Object.entries(JSON.parse(headers!)).map(([name, value]) => `${name}: ${value}\r\n`);
const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${fields.join("")}\r\n`;
const RATE = 10_000;

const end = performance.now() + Number(seconds) * 1000;
for (let reader = 0; reader < Number(count); reader++) {
  const socket = connect(Number(port), hostname, () => socket.write(request));
  socket.on("data", (chunk) => {
    socket.pause();
    setTimeout(() => socket.resume(), (chunk.length / RATE) * 1000);
  });
  socket.on("error", () => {});
}
setTimeout(() => process.exit(0), end - performance.now());
