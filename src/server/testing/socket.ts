/** Raw HTTP over a socket, for what no client would send. */
import { connect, type Socket } from "node:net";

/** Sends bytes. Returns what comes back until the server closes, or `responses` are complete. */
export async function sendRaw(port: number, request: string | Uint8Array, responses = 1): Promise<string> {
  const socket = await openSocket(port);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    if (countComplete(text) >= responses) socket.destroy();
  });
  socket.on("close", () => resolve(text));
  socket.on("error", () => {});
  socket.write(request);
  return promise;
}

export function openSocket(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(port, "127.0.0.1", () => resolve(socket));
  socket.once("error", reject);
  return promise;
}

export function collect(socket: Socket): { text: string; closed: boolean } {
  const received = { text: "", closed: false };
  socket.on("data", (chunk) => {
    received.text += chunk.toString("latin1");
  });
  socket.on("close", () => {
    received.closed = true;
  });
  socket.on("error", () => {});
  return received;
}

/** Counts the complete responses that have a Content-Length or no body. */
function countComplete(text: string): number {
  let count = 0;
  for (let offset = 0; ; ) {
    const head = text.indexOf("\r\n\r\n", offset);
    if (head < 0) return count;
    const length = /content-length: (\d+)/i.exec(text.slice(offset, head))?.[1] ?? "0";
    offset = head + 4 + Number(length);
    if (offset > text.length) return count;
    count++;
  }
}

interface ParsedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Parses one response; the body is as it was framed. */
export function parseResponse(text: string): ParsedResponse {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  return { status: Number(line.split(" ")[1]), headers: parseFields(fields), body: rest.join("\r\n\r\n") };
}

/** Parses header lines without their CRLFs. */
export function parseFields(lines: readonly string[]): Headers {
  return new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
}

/** Splits header lines at their CRLFs. */
export function headLines(text: string): string[] {
  return text.split("\r\n").filter((line) => line !== "");
}
