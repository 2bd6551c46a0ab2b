/** `first-byte.ts URL PATH HEADERS`: prints the median of milliseconds until the first byte of the answer. */
import { connect } from "node:net";
import { median } from "../row.ts";

const [, , address, path, headers] = process.argv;
const { hostname, port } = new URL(address!);
const fields = Object.entries(JSON.parse(headers!)).map(([name, value]) => `${name}: ${value}\r\n`);
const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${fields.join("")}\r\n`;

const times: number[] = [];
for (let count = 0; count < 60; count++) times.push(await once());
console.log(median(times.slice(10)));

function once(): Promise<number> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const socket = connect(Number(port), hostname, () => {
      sent = performance.now();
      socket.write(request);
    });
    socket.once("data", () => {
      resolve(performance.now() - sent);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}
