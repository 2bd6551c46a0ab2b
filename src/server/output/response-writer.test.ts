/** What a response in flight holds while its client does not read. */
import { expect, test } from "bun:test";
import { type BodyStream, Response } from "../response.ts";
import { ResponseWriter } from "./response-writer.ts";

const CHUNKS = 5;
const CHUNK_BYTES = 1000;

/** Makes its chunks in one memory, which it overwrites as soon as a chunk is released. */
class SharedMemoryStream implements BodyStream {
  readonly #memory = new Uint8Array(CHUNK_BYTES);
  #count = 0;
  isInUse = false;

  next(): Uint8Array | undefined {
    if (this.#count === CHUNKS) return undefined;
    this.isInUse = true;
    return this.#memory.fill(this.#count++ + "a".charCodeAt(0));
  }

  release(): void {
    this.isInUse = false;
    this.#memory.fill("?".charCodeAt(0));
  }

  close(): void {}
}

/** A socket that takes so many bytes before each `drain`. */
class SlowSink {
  text = "";
  room = 0;

  write(bytes: Uint8Array): number {
    const taken = Math.min(this.room, bytes.length);
    this.room -= taken;
    this.text += Buffer.from(bytes.subarray(0, taken)).toString("latin1");
    return taken;
  }

  terminate(): void {
    throw new Error("The writer has given up");
  }
}

const WHOLE_BODY = Array.from(
  { length: CHUNKS },
  (_, index) => `3e8\r\n${String.fromCharCode(97 + index).repeat(CHUNK_BYTES)}\r\n`,
).join("");

for (const roomBytes of [1, 7, 600, 1005, 1007, 2500]) {
  test(`a client that takes ${roomBytes} bytes at a time gets every byte, and holds no chunk while it waits`, async () => {
    const stream = new SharedMemoryStream();
    const sink = new SlowSink();
    let isWritten = false;
    const writer = new ResponseWriter(sink, () => {
      isWritten = true;
    });
    const onFailure = (error: unknown) => {
      throw error;
    };
    const options = { omitBody: false, isHttp10: false, extraHeaders: "" };
    writer.write(new Response(200, "", { stream, onFailure }), options);
    while (!isWritten) {
      await new Promise(setImmediate);
      expect(stream.isInUse).toBe(false);
      sink.room = roomBytes;
      writer.drain();
    }
    expect(sink.text.split("\r\n\r\n").slice(1).join("\r\n\r\n")).toBe(`${WHOLE_BODY}0\r\n\r\n`);
  });
}

test.each([
  [true, 0],
  [false, 1000],
])(
  "with ownsBody %p, %d bytes of a body are left in memory while the client does not read",
  async (ownsBody, bytes) => {
    const body = new Uint8Array(1000).fill("a".charCodeAt(0));
    const sink = new SlowSink();
    const writer = new ResponseWriter(sink, () => {});
    writer.write(new Response(200, "", body, ownsBody), {
      omitBody: false,
      isHttp10: false,
      extraHeaders: "",
    });
    expect(body.length).toBe(bytes);
    await new Promise((resolve) => setImmediate(resolve));
    sink.room = 2000;
    writer.drain();
    expect(sink.text).toEndWith(`\r\n\r\n${"a".repeat(1000)}`);
  },
);

test.each<[string, boolean, boolean, number]>([
  ["is freed once the client has taken all of it", true, false, 0],
  ["is freed when the client leaves", true, true, 0],
  ["stays in memory when others refer to it", false, false, 100_000],
  ["stays in memory when others refer to it and the client leaves", false, true, 100_000],
])("a body that is too long to be copied %s", async (_, ownsBody, leaves, bytesLeft) => {
  const body = new Uint8Array(100_000).fill("a".charCodeAt(0));
  const sink = new SlowSink();
  const writer = new ResponseWriter(sink, () => {});
  const options = { omitBody: false, isHttp10: false, extraHeaders: "" };
  writer.write(new Response(200, "", body, ownsBody), options);
  sink.room = 50_000;
  await new Promise(setImmediate);
  expect(body.length).toBe(100_000);
  if (leaves) writer.stop();
  else {
    sink.room = 100_000;
    writer.drain();
    await new Promise(setImmediate);
    expect(sink.text).toEndWith(`\r\n\r\n${"a".repeat(100_000)}`);
  }
  expect(body.length).toBe(bytesLeft);
});
