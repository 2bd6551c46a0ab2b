/** The common part of the clients, which are started as `CLIENT.ts URL PATH HEADERS …` and write to sockets themselves. */
import type { Socket } from "node:net";

const SLOW_BYTES_PER_SECOND = 10_000;

export interface RawRequest {
  readonly hostname: string;
  readonly port: number;
  /** The whole request: request line, header fields, empty line. */
  readonly text: string;
  /** The arguments after HEADERS. */
  readonly rest: readonly string[];
}

/** Reads the request from the command line. HEADERS is a JSON object. */
export function requestFromArguments(): RawRequest {
  const [url, path, headers, ...rest] = process.argv.slice(2);
  const { hostname, port } = new URL(url!);
  const fields = Object.entries(JSON.parse(headers!)).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${fields.join("")}\r\n`;
  return { hostname, port: Number(port), text, rest };
}

/** Reads from the socket at 10 kB/s. */
export function readSlowly(socket: Socket): void {
  socket.on("data", (chunk) => {
    socket.pause();
    setTimeout(() => socket.resume(), (chunk.length / SLOW_BYTES_PER_SECOND) * 1000);
  });
}
