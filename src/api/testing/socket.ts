/** HTTP by hand, for what no client would send. */
import { connect, type Socket } from "node:net";

/** Sends the bytes as they are, and gives all that comes back until the server closes, or `answers` have come. */
export async function send(port: number, request: string | Uint8Array, answers = 1): Promise<string> {
  const socket = await dial(port);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    if (complete(text) >= answers) socket.destroy();
  });
  socket.on("close", () => resolve(text));
  socket.on("error", () => {});
  socket.write(request);
  return promise;
}

export function dial(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(port, "127.0.0.1", () => resolve(socket));
  socket.once("error", reject);
  return promise;
}

/** How many answers with a Content-Length, or without a body, are there as a whole. */
function complete(text: string): number {
  let count = 0;
  for (let at = 0; ; ) {
    const head = text.indexOf("\r\n\r\n", at);
    if (head < 0) return count;
    const length = /content-length: (\d+)/i.exec(text.slice(at, head))?.[1] ?? "0";
    at = head + 4 + Number(length);
    if (at > text.length) return count;
    count++;
  }
}

/** The parts of one answer. */
export function parsed(answer: string): { status: number; headers: Headers; body: string } {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = new Headers(
    fields.map((field): [string, string] => [
      field.slice(0, field.indexOf(":")),
      field.slice(field.indexOf(":") + 1).trim(),
    ]),
  );
  return { status: Number(line.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}
