import { expect, test } from "bun:test";
import { decode } from "../testing/decode.ts";
import { CODINGS } from "./content-coding.ts";
import { StaticContent } from "./static-content.ts";

/** As large as the largest file of the OpenAPI page. */
const body = Buffer.from(crypto.getRandomValues(new Uint8Array(1_000_000)).toHex());

test.each([...CODINGS])("encodes a large body in %s once, without keeping the event loop", async (coding) => {
  const content = new StaticContent(body, "etag");
  const first = content.encoded(coding);
  const second = content.encoded(coding);
  expect(first).toBeInstanceOf(Promise);
  expect(second).toBe(first);
  // The body is encoded on another thread, whose result comes in a later event-loop tick, after all microtasks.
  let isEncoded = false;
  void (first as Promise<unknown>).then(() => {
    isEncoded = true;
  });
  for (let microtask = 0; microtask < 100; microtask++) await Promise.resolve();
  expect(isEncoded).toBe(false);
  const encoded = await first;
  expect(content.encoded(coding)).toBe(encoded);
  expect(Buffer.from(decode(encoded, coding)).equals(body)).toBe(true);
});
