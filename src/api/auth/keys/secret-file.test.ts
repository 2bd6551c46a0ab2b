import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  CLAIMS,
  isAccepted,
  scratchFile,
  setUpAuthTests,
  signToken,
  signWithHmac,
} from "../testing/signed-tokens.ts";
import { KeyError } from "./key-source.ts";
import { openKeySource } from "./open-key-source.ts";
import {
  formatSecret,
  parseSecret,
  readOrCreateSecretFile,
  readSecretFile,
  rotateSecretFile,
} from "./secret-file.ts";
import { openSecrets } from "./secret-source.ts";

setUpAuthTests();

function freshFolder(): string {
  const folder = scratchFile("data");
  mkdirSync(folder);
  return folder;
}

const bytesOf = (path: string) => readOrCreateSecretFile(path)[0].bytes;

describe("the generated secret", () => {
  test("is 32 random bytes in a file of mode 0600, and is used again", () => {
    const path = join(freshFolder(), "catalog.db.secret");
    const secret = bytesOf(path);
    expect(secret).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(bytesOf(path)).toEqual(secret);
    expect(readdirSync(dirname(path))).toEqual(["catalog.db.secret"]);
    expect(bytesOf(`${path}2`)).not.toEqual(secret);
  });

  test("has the format of COLOPHON_JWT_SECRET", () => {
    const path = join(freshFolder(), "s");
    const secret = bytesOf(path);
    expect(readFileSync(path, "utf8")).toBe(`base64url:${Buffer.from(secret).toString("base64url")}\n`);
  });

  test("creates missing directories", () => {
    expect(bytesOf(join(freshFolder(), "a/b/s"))).toHaveLength(32);
  });

  test("is the same for processes that start at the same time", async () => {
    const path = join(freshFolder(), "s");
    const program = `
      const { readOrCreateSecretFile } = await import(${JSON.stringify(join(import.meta.dir, "secret-file.ts"))});
      await Bun.stdin.text();
      console.log(Buffer.from(readOrCreateSecretFile(${JSON.stringify(path)})[0].bytes).toString("hex"));`;
    const processes = Array.from({ length: 8 }, () =>
      Bun.spawn([process.execPath, "-e", program], { stdin: "pipe", stdout: "pipe", stderr: "inherit" }),
    );
    for (const { stdin } of processes) stdin.end();
    const secrets = await Promise.all(processes.map(({ stdout }) => new Response(stdout).text()));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]?.trim()).toHaveLength(64);
    expect(readdirSync(dirname(path))).toEqual(["s"]);
  });

  test.each([0o644, 0o640, 0o604, 0o660, 0o620, 0o601])(
    "is rejected when its mode is %o, and left unchanged",
    (mode) => {
      const path = join(freshFolder(), "s");
      readOrCreateSecretFile(path);
      const before = readFileSync(path, "utf8");
      chmodSync(path, mode);
      expect(() => readOrCreateSecretFile(path)).toThrow(/open to other users: run chmod 600/);
      expect(readFileSync(path, "utf8")).toBe(before);
      chmodSync(path, 0o400);
      expect(bytesOf(path)).toHaveLength(32);
    },
  );

  test.each(["", "\n", "base64url:AAAA\n", "x".repeat(31), "base64url:????"])(
    "is rejected when the file is damaged: %j, and not replaced",
    (content) => {
      const path = join(freshFolder(), "s");
      writeFileSync(path, content, { mode: 0o600 });
      expect(() => readOrCreateSecretFile(path)).toThrow(KeyError);
      expect(readFileSync(path, "utf8")).toBe(content);
    },
  );

  test("is reported with its path and the fix when it cannot be created", () => {
    const file = scratchFile("file", "x");
    expect(() => readOrCreateSecretFile(join(file, "s"))).toThrow(
      /cannot be read or created \(ENOTDIR\).*COLOPHON_JWT_SECRET/,
    );
    const folder = freshFolder();
    expect(() => readOrCreateSecretFile(folder)).toThrow(KeyError);
    expect(existsSync(join(folder, "s"))).toBe(false);
  });
});

describe("a rotation", () => {
  const DAY_MS = 86_400_000;
  const NOW_MS = Date.parse("2026-11-17T03:00:00Z");

  test("puts a new secret before the old ones, which end at the earlier date", () => {
    const path = join(freshFolder(), "s");
    const first = bytesOf(path);
    rotateSecretFile(path, NOW_MS + 30 * DAY_MS, NOW_MS);
    const second = bytesOf(path);
    rotateSecretFile(path, NOW_MS + 10 * DAY_MS, NOW_MS);
    const [third, ...previous] = readSecretFile(path)!;
    expect(
      new Set([first, second, third.bytes].map((bytes) => Buffer.from(bytes).toString("hex"))).size,
    ).toBe(3);
    expect(previous).toEqual([second, first].map((bytes) => ({ bytes, untilMs: NOW_MS + 10 * DAY_MS })));
    expect([statSync(path).mode & 0o777, readdirSync(dirname(path))]).toEqual([0o600, ["s"]]);
  });

  test("with no days to keep drops all old secrets, and works without any", () => {
    const path = join(freshFolder(), "s");
    const first = bytesOf(path);
    rotateSecretFile(path, NOW_MS, NOW_MS);
    expect(readSecretFile(path)).toHaveLength(1);
    expect(bytesOf(path)).not.toEqual(first);
    rotateSecretFile(`${path}2`, NOW_MS, NOW_MS);
    expect(readSecretFile(`${path}2`)).toHaveLength(1);
  });

  test("follows a link to the file, which stays a link", () => {
    const folder = freshFolder();
    const path = join(folder, "s");
    const first = bytesOf(path);
    symlinkSync("s", join(folder, "link"));
    rotateSecretFile(join(folder, "link"), NOW_MS, NOW_MS);
    expect(readlinkSync(join(folder, "link"))).toBe("s");
    expect(bytesOf(path)).not.toEqual(first);
  });

  test("is refused while another one runs, and the file stays as it is", () => {
    const path = join(freshFolder(), "s");
    const first = bytesOf(path);
    writeFileSync(`${path}.next`, "");
    expect(() => rotateSecretFile(path, NOW_MS, NOW_MS)).toThrow(/s\.next exists.*delete it/);
    expect(readSecretFile(path)).toEqual([{ bytes: first, untilMs: Number.POSITIVE_INFINITY }]);
  });

  test("is loaded on demand, and an old secret is dropped when its date is there", async () => {
    const path = join(freshFolder(), "s");
    let nowMs = NOW_MS;
    const outcomes: string[] = [];
    const keys = await openSecrets(readOrCreateSecretFile(path), {
      read: () => readSecretFile(path)!,
      onRead: ({ outcome }) => void outcomes.push(outcome),
      now: () => nowMs,
    });
    const [before, signingKey] = [keys.current(), keys.signingKey];
    rotateSecretFile(path, NOW_MS + DAY_MS, NOW_MS);
    await keys.reload();
    await keys.reload();
    expect([keys.current().length, keys.signingKey === signingKey]).toEqual([2, false]);
    writeFileSync(path, "damaged");
    await keys.reload();
    expect(outcomes).toEqual(["changed", "unchanged", "failed"]);
    nowMs += DAY_MS - 1;
    const both = keys.current();
    expect([both.length, both === before]).toEqual([2, false]);
    nowMs += 1;
    // Cached tokens are verified again when the set is another one.
    expect([keys.current().length, keys.current() === both]).toEqual([1, false]);
    expect(keys.current()).toBe(keys.current());
  });
});

describe("COLOPHON_JWT_SECRET", () => {
  test("is text, used without trimming", async () => {
    const text = " 32 bytes, spaces and all, é, 本  ";
    const keys = await openKeySource({ secret: text });
    expect(await isAccepted(signToken({ alg: "HS256" }, CLAIMS, signWithHmac(Buffer.from(text))), keys)).toBe(
      true,
    );
    expect(await isAccepted(signToken({ alg: "HS256" }, CLAIMS, signWithHmac(text.trim())), keys)).toBe(
      false,
    );
  });

  test("is raw bytes after base64url:, with or without padding", async () => {
    const bytes = randomBytes(32);
    for (const padding of ["", "="]) {
      const keys = await openKeySource({ secret: `base64url:${bytes.toString("base64url")}${padding}` });
      expect(await isAccepted(signToken({ alg: "HS256" }, CLAIMS, signWithHmac(bytes)), keys)).toBe(true);
    }
  });

  test("of before verifies and does not sign", async () => {
    const [secret, previousSecret] = ["n".repeat(32), "o".repeat(32)];
    const keys = await openKeySource({ secret, previousSecret });
    const tokenOf = (text: string) => signToken({ alg: "HS256" }, CLAIMS, signWithHmac(text));
    expect([
      await isAccepted(tokenOf(secret), keys),
      await isAccepted(tokenOf(previousSecret), keys),
    ]).toEqual([true, true]);
    expect(await isAccepted(tokenOf("x".repeat(32)), keys)).toBe(false);
    const [signature, expected] = await Promise.all([
      crypto.subtle.sign("HMAC", keys.signingKey!, Buffer.from("x")),
      crypto.subtle.sign("HMAC", (await openKeySource({ secret })).signingKey!, Buffer.from("x")),
    ]);
    expect(signature).toEqual(expected);
    await expect(openKeySource({ previousSecret })).rejects.toThrow(/without COLOPHON_JWT_SECRET/);
    await expect(openKeySource({ secret, previousSecret: "x" })).rejects.toThrow(
      /^COLOPHON_JWT_SECRET_PREVIOUS has 1 bytes/,
    );
  });

  test("must have at least 32 bytes, as UTF-8 text or raw", () => {
    const raw = (length: number) => formatSecret(randomBytes(length));
    for (const enough of ["x".repeat(32), "é".repeat(16), raw(32), raw(64)]) {
      expect(parseSecret(enough, "X").length).toBeGreaterThanOrEqual(32);
    }
    for (const short of ["", "x", "x".repeat(31), "é".repeat(15), raw(31), raw(0)]) {
      expect(() => parseSecret(short, "X")).toThrow(/^X has \d+ bytes, and HS256 needs at least 32/);
    }
  });

  test("is rejected when it is too short, with the cause and the fix, and is not quoted", async () => {
    const rejection = openKeySource({ secret: "hunter2" });
    await expect(rejection).rejects.toBeInstanceOf(KeyError);
    await expect(rejection).rejects.toThrow(/COLOPHON_JWT_SECRET has 7 bytes.*openssl rand/);
    await expect(rejection).rejects.not.toThrow(/hunter2/);
  });

  test("can be made with the command in the error message", async () => {
    const message = await openKeySource({ secret: "" }).catch((error: KeyError) => error.message);
    const command = String(message).slice(String(message).indexOf("echo"));
    const made = Bun.spawnSync(["sh", "-c", command]).stdout.toString().trim();
    expect(parseSecret(made, "X")).toHaveLength(32);
  });

  test.each(["+", "/", " ", "\n", "é", "=A", "==="])(
    "is rejected when it has %j after base64url:",
    (wrong) => {
      const valid = randomBytes(48).toString("base64url");
      expect(() => parseSecret(`base64url:${valid}${wrong}`, "X")).toThrow("not base64url");
      if (!wrong.startsWith("="))
        expect(() => parseSecret(`base64url:${wrong}${valid}`, "X")).toThrow("not base64url");
    },
  );
});
