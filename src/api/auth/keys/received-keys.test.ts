/** A worker that gets its keys from another process. */
import { beforeEach, describe, expect, test } from "bun:test";
import { jwks, ManualClock, token } from "../testing/key-server.ts";
import { isAccepted, setUpAuthTests } from "../testing/signed-tokens.ts";
import type { KeyPublication } from "./public-key-source.ts";
import { ReceivedKeys } from "./received-keys.ts";

setUpAuthTests();

const MINUTE_MS = 60_000;

let clock: ManualClock;
/** The requests to the other process: whether each asks for a refresh. */
let requests: boolean[];
let keys: ReceivedKeys;

beforeEach(() => {
  clock = new ManualClock();
  requests = [];
  keys = new ReceivedKeys({ request: (refresh) => requests.push(refresh), clock });
});

const publication = (document: string, more: Partial<KeyPublication> = {}): KeyPublication => ({
  document,
  expiresInMs: 60 * MINUTE_MS,
  refreshableInMs: MINUTE_MS,
  ...more,
});

describe("ReceivedKeys", () => {
  test("requests the keys when it starts, and waits for them", async () => {
    const started = keys.start();
    expect(requests).toEqual([false]);
    await keys.receive(publication(jwks(0)));
    await started;
    expect(await isAccepted(token(0), keys)).toBe(true);
  });

  test("keeps the key set while the document is the same", async () => {
    await keys.receive(publication(jwks(0)));
    const first = keys.current();
    await keys.receive(publication(jwks(0)));
    expect(keys.current()).toBe(first!);
    await keys.receive(publication(jwks(1)));
    expect(keys.current()).not.toBe(first!);
  });

  test("uses the last of several publications, however long each takes to parse", async () => {
    await Promise.all([jwks(0), jwks(0, 1), jwks(1)].map((document) => keys.receive(publication(document))));
    expect([await isAccepted(token(0), keys), await isAccepted(token(1), keys)]).toEqual([false, true]);
  });

  test("has no keys when they were too old before they came, or have become so", async () => {
    await keys.receive(publication(jwks(0), { expiresInMs: 0 }));
    expect(keys.current()).toBeUndefined();
    await keys.receive(publication(jwks(0), { expiresInMs: 10 }));
    expect(keys.current()).toBeDefined();
    clock.advance(10);
    expect(keys.current()).toBeUndefined();
    await keys.receive(publication(jwks(0), { expiresInMs: null }));
    clock.advance(1000 * MINUTE_MS);
    expect(keys.current()).toBeDefined();
  });

  test("has an empty key set when every key was withdrawn", async () => {
    await keys.receive(publication(JSON.stringify({ keys: [] })));
    expect(keys.current()).toEqual([]);
  });
});

describe("ReceivedKeys with a token of an unknown kid", () => {
  test("sends one request for all tokens, and no other before the time that the response names", async () => {
    await keys.receive(publication(jwks(0), { refreshableInMs: 0 }));
    const accepted = [token(1), token(1), token(0, { kid: "x" })].map((each) => isAccepted(each, keys));
    while (requests.length === 0) await new Promise(setImmediate);
    await keys.receive(publication(jwks(0, 1)));
    expect(await Promise.all(accepted)).toEqual([true, true, false]);
    expect(requests).toEqual([true]);
    clock.advance(MINUTE_MS - 1);
    expect(await isAccepted(token(1, { kid: "y" }), keys)).toBe(false);
    expect(requests).toEqual([true]);
  });

  test("rejects it when the other process does not respond within 6 seconds", async () => {
    await keys.receive(publication(jwks(0), { refreshableInMs: 0 }));
    const accepted = isAccepted(token(1), keys);
    while (requests.length === 0) await new Promise(setImmediate);
    clock.advance(6000);
    expect(await accepted).toBe(false);
  });

  test("requests nothing when the keys come from a file", async () => {
    await keys.receive(publication(jwks(0), { expiresInMs: null, refreshableInMs: null }));
    clock.advance(1000 * MINUTE_MS);
    expect(await isAccepted(token(1), keys)).toBe(false);
    expect(requests).toEqual([]);
  });
});
