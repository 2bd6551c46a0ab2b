import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFileMissing } from "../../lib/testing/requirements.ts";
import { LogFile } from "./log-file.ts";
import { LogWriter } from "./log-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "colophon-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string) => readFileSync(path, "utf8");
const line = (text: string) => Buffer.from(`${text}\n`);

function openFile(name: string) {
  const path = join(folder, name);
  const problems: string[] = [];
  return { path, problems, file: new LogFile(path, (problem) => problems.push(problem)) };
}

describe("LogFile", () => {
  test("appends to a file that exists, and goes on at its start after it was truncated", async () => {
    await Bun.write(join(folder, "appended.log"), "before\n");
    const { path, file } = openFile("appended.log");
    await file.sink(line("a"));
    expect(read(path)).toBe("before\na\n");
    truncateSync(path);
    await file.sink(line("b"));
    expect(read(path)).toBe("b\n");
  });

  test("writes to the renamed file until it is opened again, and loses no line", async () => {
    const { path, file } = openFile("renamed.log");
    await file.sink(line("a"));
    renameSync(path, `${path}.1`);
    await file.sink(line("b"));
    const inFlight = file.sink(line("c"));
    expect(file.reopen()).toBe(true);
    await Promise.all([inFlight, file.sink(line("d"))]);
    expect([read(`${path}.1`), read(path)]).toEqual(["a\nb\nc\n", "d\n"]);
  });

  test("reports a path that cannot be opened again, and goes on in the open file", async () => {
    mkdirSync(join(folder, "logs"));
    const { path, problems, file } = openFile("logs/colophon.log");
    renameSync(join(folder, "logs"), join(folder, "gone"));
    expect(file.reopen()).toBe(false);
    await file.sink(line("a"));
    expect(read(join(folder, "gone/colophon.log"))).toBe("a\n");
    expect(problems).toEqual([
      expect.stringMatching(
        /^the log file .*colophon\.log cannot be opened again \(ENOENT: .*\); the old file is used: make its folder writable and send SIGHUP again$/,
      ),
    ]);
    mkdirSync(join(folder, "logs"));
    expect(file.reopen()).toBe(true);
    await file.sink(line("b"));
    expect(read(path)).toBe("b\n");
  });

  test("refuses a folder, and a FIFO that nobody reads, without waiting", () => {
    mkdirSync(join(folder, "folder.log"));
    expect(() => openFile("folder.log")).toThrow("EISDIR");
    expect(Bun.spawnSync(["mkfifo", join(folder, "fifo.log")]).exitCode).toBe(0);
    expect(() => openFile("fifo.log")).toThrow("ENXIO");
  });

  test.skipIf(isFileMissing("/dev/full"))(
    "reports a full disk once, and the lines count as dropped (skipped without /dev/full)",
    async () => {
      const problems: string[] = [];
      const file = new LogFile("/dev/full", (problem) => problems.push(problem));
      const writer = new LogWriter(file.sink, (count) => `dropped ${count}`);
      for (const text of ["a", "b"]) writer.add(text);
      await writer.close(60_000);
      writer.add("c");
      await writer.close(60_000);
      expect(writer.droppedLines).toBe(3);
      expect(problems).toEqual([
        expect.stringMatching(
          /^the log file \/dev\/full cannot be written \(ENOSPC: .*\); lines are dropped until it can: free space or correct its rights$/,
        ),
      ]);
    },
  );
});

describe("LogWriter", () => {
  test("reports the lines that a failing sink has dropped when it works again", async () => {
    let written = "";
    let isFull = true;
    const sink = async (chunk: Buffer) => {
      if (isFull) throw new Error("full");
      written += chunk.toString();
    };
    const writer = new LogWriter(sink, (count) => `dropped ${count}`);
    for (const text of ["a", "b"]) writer.add(text);
    await writer.close(60_000);
    isFull = false;
    writer.add("c");
    await writer.close(60_000);
    expect([written, writer.droppedLines]).toEqual(["c\ndropped 2\n", 2]);
  });
});
