import { expect, test } from "bun:test";
import { decode } from "../testing/decode.ts";
import { CODINGS } from "./content-coding.ts";
import { StaticContent } from "./static-content.ts";

/** As large as the largest file of the OpenAPI page. */
const body = Buffer.from(crypto.getRandomValues(new Uint8Array(1_000_000)).toHex());

test.each([...CODINGS])("encodes a large body in %s once, without keeping the event loop", async (coding) => {
  const content = new StaticContent(body, "etag");
  const before = process.cpuUsage().user;
  const first = content.encoded(coding);
  const second = content.encoded(coding);
  const busyMs = (process.cpuUsage().user - before) / 1000;
  expect(first).toBeInstanceOf(Promise);
  expect(second).toBe(first);
  const encoded = await first;
  expect(content.encoded(coding)).toBe(encoded);
  expect(Buffer.from(decode(encoded, coding)).equals(body)).toBe(true);
  const totalMs = (process.cpuUsage().user - before) / 1000;
  // Nearly all of the time is spent on another thread, after the call.
  expect(busyMs).toBeLessThan(totalMs / 2);
});
