import { describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { LogWriter, MAX_LINE_BYTES, maxWriteBytesOf } from "./log-writer.ts";

/** A sink that does not complete a write before `open` is called. */
function blockedSink() {
  const chunks: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const sink = async (chunk: Buffer) => {
    chunks.push(chunk.toString());
    await opened;
  };
  return { chunks, open, sink };
}

function openSink() {
  const sink = blockedSink();
  sink.open();
  return sink;
}

const formatDropped = (count: number) => `dropped ${count}`;

describe("LogWriter batches", () => {
  test("writes a few lines as one chunk, after the interval", async () => {
    const { sink, chunks } = openSink();
    const writer = new LogWriter(sink, formatDropped);
    writer.add("a");
    writer.add("b");
    await Promise.resolve();
    expect(chunks).toEqual([]);
    await waitFor("the batch is written", () => chunks.length > 0);
    expect(chunks).toEqual(["a\nb\n"]);
  });

  test("writes 64 kB without waiting for the interval", () => {
    const { sink, chunks } = blockedSink();
    const writer = new LogWriter(sink, formatDropped);
    for (let count = 0; count < 640; count++) writer.add("x".repeat(100));
    expect(chunks).toEqual([]);
    for (let count = 0; count < 10; count++) writer.add("x".repeat(100));
    expect(chunks).toHaveLength(1);
  });

  test("writes chunks of whole lines that a pipe takes atomically", async () => {
    const { sink, chunks } = openSink();
    const writer = new LogWriter(sink, formatDropped);
    const letters = ["ñ", "中", "😀", "x"];
    const lines = Array.from({ length: 500 }, (_, count) =>
      `${count} ${letters[count % 4]}`.repeat(count % 90),
    );
    for (const line of lines) writer.add(line);
    await writer.close(60_000);
    expect(chunks.join("")).toBe(lines.map((line) => `${line}\n`).join(""));
    expect(chunks.every((chunk) => chunk.endsWith("\n"))).toBe(true);
    expect(Math.max(...chunks.map((chunk) => Buffer.byteLength(chunk)))).toBeLessThanOrEqual(MAX_LINE_BYTES);
    expect(chunks.length).toBeLessThan(60);
  });

  test("writes as much at once as its target takes", async () => {
    const { sink, chunks } = openSink();
    const writer = new LogWriter(sink, formatDropped, { maxWriteBytes: 60_000 });
    for (let count = 0; count < 1000; count++) writer.add("x".repeat(99));
    await writer.close(60_000);
    expect(chunks[0]).toHaveLength(60_000);
    expect(chunks.join("")).toHaveLength(100_000);
  });

  test("writes a line that is longer than the maximum as a whole", async () => {
    const { sink, chunks } = openSink();
    const writer = new LogWriter(sink, formatDropped);
    for (const line of ["a", "中".repeat(3000), "b"]) writer.add(line);
    await writer.close(60_000);
    expect(chunks.join("")).toBe(`a\n${"中".repeat(3000)}\nb\n`);
    expect(chunks.every((chunk) => chunk.endsWith("\n"))).toBe(true);
  });
});

describe("LogWriter with a slow reader", () => {
  test("drops lines beyond the limit, and reports their number when there is room", async () => {
    const slow = blockedSink();
    const writer = new LogWriter(slow.sink, formatDropped, { maxBufferedChars: 10_000 });
    for (let count = 0; count < 300; count++) writer.add(`${count}${"x".repeat(100)}`);
    expect(writer.droppedLines).toBeGreaterThan(200);
    const before = writer.droppedLines;
    slow.open();
    await writer.close(60_000);
    const lines = slow.chunks.join("").split("\n").slice(0, -1);
    expect(lines).toHaveLength(300 - before + 1);
    expect(lines.at(-1)).toBe(`dropped ${before}`);
    writer.add("again");
    await writer.close(60_000);
    expect(slow.chunks.join("")).toEndWith(`dropped ${before}\nagain\n`);
    expect(writer.droppedLines).toBe(before);
  });

  test("closes after the timeout, and not before it", async () => {
    const { sink, chunks } = blockedSink();
    const writer = new LogWriter(sink, formatDropped);
    writer.add("a");
    const startedAt = performance.now();
    const closed = writer.close(50);
    expect(await Promise.race([closed.then(() => "closed"), Bun.sleep(0).then(() => "waiting")])).toBe(
      "waiting",
    );
    await closed;
    // Timers may fire up to a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49);
    expect(chunks).toEqual(["a\n"]);
  });

  test("closes before the timeout when everything is written", async () => {
    const { sink, chunks } = openSink();
    const writer = new LogWriter(sink, formatDropped);
    writer.add("a");
    // Longer than a test may take.
    await writer.close(3_600_000);
    expect(chunks).toEqual(["a\n"]);
  });
});

/** Calls `use` with the paths of a named pipe and of a file, which are removed afterwards. */
async function withPipe<T>(use: (pipe: string, file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-log-"));
  try {
    expect(Bun.spawnSync(["mkfifo", join(folder, "pipe")]).exitCode).toBe(0);
    return await use(join(folder, "pipe"), join(folder, "file"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("maxWriteBytesOf returns what other processes cannot interrupt: 4 kB for a pipe, more for a file", () =>
  withPipe(async (pipePath, filePath) => {
    const [pipe, file] = [openSync(pipePath, "r+"), openSync(filePath, "w")];
    expect([maxWriteBytesOf(pipe), maxWriteBytesOf(file)]).toEqual([MAX_LINE_BYTES, 64 * 1024]);
    for (const descriptor of [pipe, file]) closeSync(descriptor);
  }));

describe("LogWriter on standard error", () => {
  const program = [process.execPath, join(import.meta.dir, "testing/log-writer.program.ts")];

  /** A shell command that runs two of the programs at the same time. */
  const both = '"$@" one 5000 60000 >/dev/null & "$@" two 5000 60000 >/dev/null & wait';

  /** Runs the program with a pipe as standard error that nobody reads, or whose reader has gone. */
  const runUnread = (lines: number, closeTimeoutMs: number, reader: "silent" | "gone") =>
    withPipe(async (path) => {
      const readEnd = openSync(path, "r+");
      const writeEnd = openSync(path, "w");
      const command = [...program, "name", String(lines), String(closeTimeoutMs)];
      const child = Bun.spawn(command, { stdout: "pipe", stderr: writeEnd });
      closeSync(writeEnd);
      if (reader === "gone") closeSync(readEnd);
      const { droppedLines } = JSON.parse(await new Response(child.stdout).text());
      const exitCode = await child.exited;
      if (reader === "silent") closeSync(readEnd);
      return { exitCode, droppedLines };
    });

  test("drops lines that nobody reads, and lets the process end", async () => {
    // The lines have 3 MB, of which the buffer holds 1 MB.
    const { exitCode, droppedLines } = await runUnread(20_000, 50, "silent");
    expect(exitCode).toBe(0);
    expect(droppedLines).toBeGreaterThan(5000);
  });

  test("lets the process end when the reader is gone", async () => {
    expect((await runUnread(20_000, 60_000, "gone")).exitCode).toBe(0);
  });

  test.each([
    ["pipe", `{ ${both}; } 2>&1 | cat`],
    ["file", `{ ${both}; } 2>"$0"; cat "$0"`],
  ])("does not interleave the lines of two processes in one %s", (_, script) =>
    withPipe(async (_, file) => {
      // The lines fit into the buffer, so that none is dropped, however slowly they are read.
      const child = Bun.spawn(["sh", "-c", script, file, ...program], { stdout: "pipe" });
      const lines = (await new Response(child.stdout).text()).split("\n").slice(0, -1);
      for (const name of ["one", "two"]) {
        const own = lines.filter((line) => line.startsWith(`${name} `));
        expect(own).toEqual(
          Array.from({ length: 5000 }, (_, count) => `${name} ${count} ${"x".repeat(count % 300)}.`),
        );
      }
      expect(lines).toHaveLength(10_000);
    }),
  );
});
