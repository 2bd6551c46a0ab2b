import { describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LONGEST_LINE, Outlet } from "./log-writer.ts";

/** A sink that takes a piece only when it is let. */
function slowSink() {
  const pieces: string[] = [];
  let let1: (() => void) | undefined;
  let open = false;
  return {
    pieces,
    get text() {
      return pieces.join("");
    },
    /** From now on it takes everything. */
    open() {
      open = true;
      let1?.();
    },
    sink(piece: Buffer): Promise<void> {
      pieces.push(piece.toString());
      if (open) return Promise.resolve();
      return new Promise((resolve) => {
        let1 = resolve;
      });
    },
  };
}

const dropped = (count: number) => `dropped ${count}`;

describe("lines are gathered", () => {
  test("few are one piece, written a moment later", async () => {
    const { sink, pieces, open } = slowSink();
    open();
    const outlet = new Outlet(sink, dropped);
    outlet.add("a");
    outlet.add("b");
    await Promise.resolve();
    expect(pieces).toEqual([]);
    while (pieces.length === 0) await Bun.sleep(5);
    expect(pieces).toEqual(["a\nb\n"]);
  });

  test("64 kB are written at once", () => {
    const { sink, pieces } = slowSink();
    const outlet = new Outlet(sink, dropped);
    for (let count = 0; count < 640; count++) outlet.add("x".repeat(100));
    expect(pieces).toEqual([]);
    for (let count = 0; count < 10; count++) outlet.add("x".repeat(100));
    expect(pieces).toHaveLength(1);
  });

  test("pieces have whole lines, and no more bytes than a pipe takes in one go", async () => {
    const { sink, pieces, open } = slowSink();
    open();
    const outlet = new Outlet(sink, dropped);
    const letters = ["ñ", "中", "😀", "x"];
    const lines = Array.from({ length: 500 }, (_, count) =>
      `${count} ${letters[count % 4]}`.repeat(count % 90),
    );
    for (const line of lines) outlet.add(line);
    await outlet.close(60_000);
    expect(pieces.join("")).toBe(lines.map((line) => `${line}\n`).join(""));
    expect(pieces.every((piece) => piece.endsWith("\n"))).toBe(true);
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(LONGEST_LINE);
    expect(pieces.length).toBeLessThan(60);
  });

  test("a line that is longer all the same is written whole", async () => {
    const { sink, pieces, open } = slowSink();
    open();
    const outlet = new Outlet(sink, dropped);
    for (const line of ["a", "中".repeat(3000), "b"]) outlet.add(line);
    await outlet.close(60_000);
    expect(pieces.join("")).toBe(`a\n${"中".repeat(3000)}\nb\n`);
    expect(pieces.every((piece) => piece.endsWith("\n"))).toBe(true);
  });
});

describe("a reader that is slow", () => {
  test("what does not fit is dropped and counted; the count is said when there is room", async () => {
    const slow = slowSink();
    const outlet = new Outlet(slow.sink, dropped, 10_000);
    for (let count = 0; count < 300; count++) outlet.add(`${count}${"x".repeat(100)}`);
    expect(outlet.dropped).toBeGreaterThan(200);
    const before = outlet.dropped;
    slow.open();
    await outlet.close(60_000);
    const lines = slow.text.split("\n").slice(0, -1);
    expect(lines).toHaveLength(300 - before + 1);
    expect(lines.at(-1)).toBe(`dropped ${before}`);
    outlet.add("again");
    await outlet.close(60_000);
    expect(slow.text).toEndWith(`dropped ${before}\nagain\n`);
    expect(outlet.dropped).toBe(before);
  });

  test("is not waited for at the end for longer than is said", async () => {
    const { sink } = slowSink();
    const outlet = new Outlet(sink, dropped);
    outlet.add("a");
    await outlet.close(10);
  });
});

describe("standard error", () => {
  const program = [process.execPath, join(import.meta.dir, "testing/log-writer.program.ts")];

  /** A process whose standard error is a pipe that nobody reads; or, with `gone`, that nobody will ever read. */
  async function unread(name: string, gone: boolean): Promise<{ dropped: number }> {
    const folder = mkdtempSync(join(tmpdir(), "colophon-log-"));
    try {
      const pipe = join(folder, "pipe");
      expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
      const reader = openSync(pipe, "r+");
      const writer = openSync(pipe, "w");
      const child = Bun.spawn([...program, name, "20000"], { stdout: "pipe", stderr: writer });
      closeSync(writer);
      if (gone) closeSync(reader);
      const said = JSON.parse(await new Response(child.stdout).text());
      expect(await child.exited).toBe(0);
      if (!gone) closeSync(reader);
      return said;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("nobody reads it: the process goes on, and ends", async () => {
    // 3 MB, of which one waits.
    expect((await unread("impatient", false)).dropped).toBeGreaterThan(5000);
  });

  test("it is gone: the process goes on, and ends", async () => {
    await unread("orphan", true);
  });

  test("the lines of two processes on one pipe do not run into each other", async () => {
    // Less than what may wait: none is dropped, however slowly they are read.
    const both = 'a="$1 $2"; $a one 5000 >/dev/null & $a two 5000 >/dev/null & wait';
    const child = Bun.spawn(["sh", "-c", both, "sh", ...program], { stdout: "ignore", stderr: "pipe" });
    const lines = (await new Response(child.stderr).text()).split("\n").slice(0, -1);
    for (const name of ["one", "two"]) {
      const own = lines.filter((line) => line.startsWith(`${name} `));
      expect(own).toEqual(
        Array.from({ length: 5000 }, (_, count) => `${name} ${count} ${"x".repeat(count % 300)}.`),
      );
    }
    expect(lines).toHaveLength(10_000);
  });
});
