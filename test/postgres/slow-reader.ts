import { connect } from "node:net";

/**
 * Takes the first piece of `/api/imprint/long` and no more; when `meanwhile` has ended, all of the rest until the
 * connection is closed. Gives everything that came, as it came.
 */
export async function readSlowly(
  url: string,
  token: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const pieces: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const first = new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.on("error", () => {});
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  socket.write(
    `GET /api/imprint/long HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: identity\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await first;
  socket.pause();
  await meanwhile();
  socket.resume();
  await closed;
  return Buffer.concat(pieces).toString("latin1");
}

/** RFC 9112, 7.1: without the last chunk of size 0, a body is known to be incomplete. */
export function isComplete(answer: string): boolean {
  return answer.endsWith("\r\n0\r\n\r\n");
}
