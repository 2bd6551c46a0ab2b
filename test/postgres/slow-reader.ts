import { connect } from "node:net";

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
