/** Feeds for the tests on PostgreSQL and for those with a proxy. */
import { connect } from "node:net";
import { message, product } from "../../src/onix/testing/message.ts";

export const ISBN = "9788437604947";
export const OTHER = "9780199632091";
const LONG_LIST_LENGTH = 4000;
export const LAST_OF_LONG_LIST = String(9788400000000 + LONG_LIST_LENGTH - 1);

/** One small book of the imprint `sello`, and an imprint `long` with more bytes than socket buffers hold. */
export function longFeed(): string {
  const text = `<Text>${"more than the buffers of a socket hold ".repeat(300)}</Text>`;
  const books = Array.from({ length: LONG_LIST_LENGTH }, (_, index) =>
    product({ imprint: "Long", isbn: String(9788400000000 + index), text }),
  );
  return message(product({ isbn: ISBN }), ...books);
}

/**
 * Reads the first chunk of `/api/imprint/long` and pauses. When `meanwhile` has ended, reads the rest until the connection
 * is closed. Returns all bytes.
 */
export async function readSlowly(
  url: string,
  token: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const first = new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(
    `GET /api/imprint/long HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: identity\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await first;
  socket.pause();
  await meanwhile();
  socket.resume();
  await closed;
  return Buffer.concat(chunks).toString("latin1");
}

/** Returns whether the last chunk, of size 0, has arrived (RFC 9112 §7.1). */
export function isComplete(response: string): boolean {
  return response.endsWith("\r\n0\r\n\r\n");
}
