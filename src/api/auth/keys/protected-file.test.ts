import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isMissing } from "../../../lib/testing/requirements.ts";
import { scratchFile, setUpAuthTests } from "../testing/signed-tokens.ts";
import { errorCode, KeyError } from "./key-source.ts";
import { openProtectedFile } from "./protected-file.ts";

setUpAuthTests();

const OTHER_UID = 4242;

function writtenFile(mode: number): string {
  const path = scratchFile("key");
  writeFileSync(path, "content");
  chmodSync(path, mode);
  return path;
}

function read(path: string, isSecret: boolean): string {
  const file = openProtectedFile(path, { source: "the file", isSecret });
  try {
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

describe("openProtectedFile", () => {
  test.each([
    [true, 0o600],
    [true, 0o400],
    [false, 0o644],
    [false, 0o444],
    [false, 0o640],
  ])("opens a file (secret: %p) of mode %o", (isSecret, mode) => {
    expect(read(writtenFile(mode), isSecret)).toBe("content");
  });

  test("opens a file behind a symbolic link, as Kubernetes mounts them", () => {
    const link = scratchFile("link");
    symlinkSync(writtenFile(0o644), link);
    expect(read(link, false)).toBe("content");
  });

  test.each([
    [true, 0o640, /^the file is open to other users: run chmod 600 on it$/],
    [true, 0o604, /^the file is open to other users: run chmod 600 on it$/],
    [false, 0o664, /^the file can be changed by other users: run chmod go-w on it$/],
    [false, 0o646, /^the file can be changed by other users: run chmod go-w on it$/],
  ])("rejects a file (secret: %p) of mode %o", (isSecret, mode, expected) => {
    expect(() => read(writtenFile(mode), isSecret)).toThrow(expected);
  });

  // Only root can give a file away.
  test.skipIf(isMissing(process.getuid?.() === 0))(
    "rejects a file that belongs to another user (skipped without root)",
    () => {
      const path = writtenFile(0o600);
      chownSync(path, OTHER_UID, OTHER_UID);
      for (const isSecret of [true, false]) {
        expect(() => read(path, isSecret)).toThrow(/^the file belongs to another user \(id 4242\): .+chown$/);
      }
    },
  );

  test("rejects a FIFO, and does not wait for its writer", () => {
    const path = scratchFile("fifo");
    expect(Bun.spawnSync(["mkfifo", "-m", "600", path]).exitCode).toBe(0);
    expect(() => read(path, true)).toThrow(/^the file is not a regular file: /);
  });

  test("rejects a socket, a device and a folder", async () => {
    const socket = scratchFile("socket");
    using _listener = Bun.listen({ unix: socket, socket: { data() {} } });
    const folder = scratchFile("folder");
    mkdirSync(folder);
    for (const path of [socket, "/dev/zero", folder]) {
      expect(() => read(path, false)).toThrow(KeyError);
      expect(() => read(path, false)).toThrow(/^the file is not a regular file: /);
    }
  });

  test("throws the system's error for a missing file", () => {
    try {
      read(scratchFile("missing"), true);
      expect.unreachable();
    } catch (error) {
      expect(errorCode(error)).toBe("ENOENT");
    }
  });
});
