import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { createAuthenticator } from "../authenticator.ts";
import { jwks, token } from "../testing/key-server.ts";
import { CLAIMS, keyErrorOf, scratchFile, setUpAuthTests } from "../testing/signed-tokens.ts";
import { KeyError } from "./key-source.ts";
import { type KeyConfig, openKeySource } from "./open-key-source.ts";
import type { KeyRead } from "./public-key-source.ts";

setUpAuthTests();

const errorMessage = (config: KeyConfig) => keyErrorOf(openKeySource(config));

describe("configuration", () => {
  test("is rejected when both variables are set, and the message says which to unset", async () => {
    const message = await errorMessage({
      secret: "x".repeat(32),
      keys: "keys.json",
      secretFile: scratchFile("s"),
    });
    expect(message).toMatch(/unset COLOPHON_JWT_SECRET.*or COLOPHON_JWT_KEYS/);
  });

  test.each([
    ["neither variable nor a secret file is set", {}, /set COLOPHON_JWT_SECRET .* or COLOPHON_JWT_KEYS/],
    ["the secret is empty", { secret: "", secretFile: scratchFile("s") }, /COLOPHON_JWT_SECRET has 0 bytes/],
    ["the keys are empty", { keys: "", secretFile: scratchFile("s") }, /COLOPHON_JWT_KEYS is empty/],
  ])("is rejected when %s, and the message says which to set", async (_, config, reason) => {
    expect(await errorMessage(config)).toMatch(reason);
  });

  test("generates a secret once when neither variable is set", async () => {
    const path = scratchFile("catalog.db.secret");
    const createsSecret = async () => true;
    const [first, second] = [
      await openKeySource({ secretFile: path, createsSecret }),
      await openKeySource({ secretFile: path }),
    ];
    const input = new TextEncoder().encode("x");
    const signatures = await Promise.all(
      [first, second].map(({ signingKey }) => crypto.subtle.sign("HMAC", signingKey!, input)),
    );
    expect(signatures[0]).toEqual(signatures[1]!);
  });
});

test("a missing secret file is not created when tokens would become invalid, and the message says what to do", async () => {
  const secretFile = scratchFile("catalog.db.secret");
  for (const createsSecret of [undefined, async () => false]) {
    expect(await errorMessage({ secretFile, createsSecret })).toMatch(
      /is missing, and tokens were signed with it: restore it, or .* "colophon token rotate"/,
    );
  }
  expect(existsSync(secretFile)).toBe(false);
});

describe("a key file", () => {
  test("is rejected by its path when it cannot be read", async () => {
    expect(await errorMessage({ keys: "/nowhere/keys.json" })).toContain(
      "/nowhere/keys.json of COLOPHON_JWT_KEYS cannot be read (ENOENT): correct the path, or give access to the file",
    );
    expect(await errorMessage({ keys: import.meta.dir })).toContain("is not a regular file");
    const fifo = scratchFile("fifo");
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0);
    expect(await errorMessage({ keys: fifo })).toContain(
      `${fifo} of COLOPHON_JWT_KEYS is not a regular file`,
    );
    const large = scratchFile("large");
    writeFileSync(large, " ".repeat(1_000_001));
    expect(await errorMessage({ keys: large })).toContain("larger than 1 MB");
  });

  test("is read again by reload, and keeps the old keys when the new ones cannot be used", async () => {
    const path = scratchFile("keys.json", jwks(0));
    const reads: KeyRead[] = [];
    const keys = await openKeySource({ keys: path, onRead: (read) => reads.push(read) });
    const authenticator = createAuthenticator({
      keys,
      tokens: { isRevoked: () => false },
      now: () => CLAIMS.exp * 1000,
    });
    const headers = [`Bearer ${token(0)}`, `Bearer ${token(1)}`];
    const accepted = () =>
      Promise.all(headers.map(async (header) => (await authenticator.authenticate(header)).ok));
    expect(await accepted()).toEqual([true, false]);

    writeFileSync(path, "{");
    await keys.reload();
    expect(reads).toEqual([
      { outcome: "failed", reason: "demand", error: expect.any(KeyError), remainingMs: Infinity },
    ]);
    expect(await accepted()).toEqual([true, false]);

    writeFileSync(path, jwks(1));
    // An unknown kid does not make it read the file: only a reload does.
    expect(await accepted()).toEqual([true, false]);
    await keys.reload();
    expect(await accepted()).toEqual([false, true]);
    expect(reads.map(({ outcome }) => outcome)).toEqual(["failed", "changed"]);
  });

  test("withdraws every key when it is a key set without one", async () => {
    const path = scratchFile("keys.json", jwks(0));
    const keys = await openKeySource({ keys: path });
    writeFileSync(path, JSON.stringify({ keys: [] }));
    await keys.reload();
    expect(keys.current()).toEqual([]);
    expect(await errorMessage({ keys: path })).toContain("has no key for RS256");
  });
});

describe("a key URL", () => {
  const HTTP = ["http://127.0.0.1/jwks", "http://localhost/", "HTTP://x/"];

  test.each([...HTTP, "ftp://x/y", "file:///etc/keys", "data://x"])(
    "must be https: rejects %s",
    async (keys) => {
      expect(await errorMessage({ keys })).toContain("must be a file or an https URL");
    },
  );

  test("is rejected when it cannot be parsed", async () => {
    expect(await errorMessage({ keys: "https://[x/" })).toContain("not a valid URL");
  });
});
