import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { KeyError } from "../errors.ts";
import { scratchFile, setUpAuthTests } from "../testing/signed-tokens.ts";
import { readOrCreateSecretFile } from "./secret-file.ts";

setUpAuthTests();

function freshFolder(): string {
  const folder = scratchFile("data");
  mkdirSync(folder);
  return folder;
}

describe("the generated secret", () => {
  test("is 32 random bytes in a file of mode 0600, and is used again", () => {
    const path = join(freshFolder(), "catalog.db.secret");
    const secret = readOrCreateSecretFile(path);
    expect(secret).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readOrCreateSecretFile(path)).toEqual(secret);
    expect(readdirSync(dirname(path))).toEqual(["catalog.db.secret"]);
    expect(readOrCreateSecretFile(`${path}2`)).not.toEqual(secret);
  });

  test("has mode 0600 whatever the umask", () => {
    const path = join(freshFolder(), "s");
    const before = process.umask(0);
    try {
      readOrCreateSecretFile(path);
    } finally {
      process.umask(before);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("has the format of COLOPHON_JWT_SECRET", () => {
    const path = join(freshFolder(), "s");
    const secret = readOrCreateSecretFile(path);
    expect(readFileSync(path, "utf8")).toBe(`base64url:${Buffer.from(secret).toString("base64url")}\n`);
  });

  test("creates missing directories", () => {
    expect(readOrCreateSecretFile(join(freshFolder(), "a/b/s"))).toHaveLength(32);
  });

  test("is the same for processes that start at the same time", async () => {
    const path = join(freshFolder(), "s");
    const program = `
      const { readOrCreateSecretFile } = await import(${JSON.stringify(join(import.meta.dir, "secret-file.ts"))});
      await Bun.stdin.text();
      console.log(Buffer.from(readOrCreateSecretFile(${JSON.stringify(path)})).toString("hex"));`;
    const processes = Array.from({ length: 8 }, () =>
      Bun.spawn([process.execPath, "-e", program], { stdin: "pipe", stdout: "pipe", stderr: "inherit" }),
    );
    for (const { stdin } of processes) stdin.end();
    const secrets = await Promise.all(processes.map(({ stdout }) => new Response(stdout).text()));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]?.trim()).toHaveLength(64);
    expect(readdirSync(dirname(path))).toEqual(["s"]);
  });

  test("is rejected when it is a FIFO, without waiting for a writer", () => {
    const path = join(freshFolder(), "s");
    expect(Bun.spawnSync(["mkfifo", "-m", "600", path]).exitCode).toBe(0);
    expect(() => readOrCreateSecretFile(path)).toThrow(`the secret file ${path} is not a regular file`);
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
      expect(readOrCreateSecretFile(path)).toHaveLength(32);
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
