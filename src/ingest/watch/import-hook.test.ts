import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { TempFolder } from "../../stores/sqlite/testing/folder.ts";
import { ImportHook } from "./import-hook.ts";
import type { WatchEvent } from "./watch-event.ts";

let folder: TempFolder;
let output: string;
let events: WatchEvent[];
beforeEach(() => {
  folder = new TempFolder();
  output = join(folder.path, "output");
  events = [];
});
afterEach(() => folder[Symbol.dispose]());

const observe = (event: WatchEvent) => void events.push(event);
const call = (feed: string) => ({ feed, variables: { COLOPHON_FEED: feed } });

test("runs the command once for each feed, in order, with the feed in its environment only", async () => {
  const name = `a"; touch ${folder.path}/executed; $(touch ${folder.path}/executed) 'x`;
  const hook = new ImportHook(
    `sleep 0.0$((RANDOM % 3)); printf '%s\\n' "$COLOPHON_FEED" >> ${output}`,
    observe,
  );
  const ended: string[] = [];
  for (const feed of [name, "b", "c"]) await hook.call(call(feed), () => ended.push(feed));
  await hook.idle();
  expect(readFileSync(output, "utf8")).toBe(`${name}\nb\nc\n`);
  expect([ended, events, existsSync(join(folder.path, "executed"))]).toEqual([[name, "b", "c"], [], false]);
});

test("reports a command that fails, with its last words, and goes on", async () => {
  const hook = new ImportHook(`echo "no mail server" >&2; exit 3`, observe);
  let ended = 0;
  for (const feed of ["a", "b"]) await hook.call(call(feed), () => ended++);
  await hook.idle();
  const reason = "the command of --on-import has failed (exit 3): no mail server";
  expect([ended, events]).toEqual([
    2,
    [
      { kind: "hook", feed: "a", reason },
      { kind: "hook", feed: "b", reason },
    ],
  ]);
});

test("reports that the end of a call cannot be noted, and goes on", async () => {
  const hook = new ImportHook("true", observe);
  let ended = 0;
  await hook.call(call("a"), () => {
    throw new Error("the disk is full");
  });
  await hook.call(call("b"), () => ended++);
  await hook.idle();
  expect([ended, events]).toEqual([1, [{ kind: "hook", feed: "a", reason: "the disk is full" }]]);
});

test("replaces U+0000, which no variable can have", async () => {
  const hook = new ImportHook(`printf '%s\\n' "$COLOPHON_FEED" >> ${output}`, observe);
  for (const feed of ["a.zip/b\0.xml", "c"]) await hook.call(call(feed), () => {});
  await hook.idle();
  expect([readFileSync(output, "utf8"), events]).toEqual(["a.zip/b\ufffd.xml\nc\n", []]);
});

test("reports a command that cannot be started, and goes on", async () => {
  const hook = new ImportHook("true\0", observe);
  let ended = 0;
  for (const feed of ["a", "b"]) await hook.call(call(feed), () => ended++);
  await hook.idle();
  const reason = expect.stringContaining("the command of --on-import cannot be run (");
  expect([ended, events]).toEqual([
    2,
    [
      { kind: "hook", feed: "a", reason },
      { kind: "hook", feed: "b", reason },
    ],
  ]);
});

test("kills a command that takes too long, with the processes that it has started", async () => {
  const hook = new ImportHook(`sleep 100 & echo $! > ${output}; wait`, observe, 300);
  await hook.call(call("a"), () => {});
  await hook.idle();
  expect(events).toEqual([
    { kind: "hook", feed: "a", reason: "the command of --on-import took longer than 0.3 s and was killed" },
  ]);
  const pid = readFileSync(output, "utf8").trim();
  const isRunning = () =>
    existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(" Z ");
  await waitFor("the command's own process has ended", () => !isRunning());
});

test("does not make calls that wait when it is stopped", async () => {
  const hook = new ImportHook(`echo x >> ${output}; sleep 0.2`, observe);
  let ended = 0;
  for (const feed of ["a", "b", "c"]) await hook.call(call(feed), () => ended++);
  await waitFor("the first command runs", () => existsSync(output));
  await hook.stop();
  expect([ended, readFileSync(output, "utf8")]).toEqual([1, "x\n"]);
});
