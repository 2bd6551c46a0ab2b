import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { CLAIMS, isAccepted, setUpAuthTests, signToken, signWithHmac } from "../testing/signed-tokens.ts";
import { KeyError } from "./key-source.ts";
import { openKeySource } from "./open-key-source.ts";
import { formatSecret, parseSecret } from "./secret.ts";

setUpAuthTests();

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
