import { expect, test } from "bun:test";
import { errorOf } from "../testing/test-store.ts";
import { QueryQueue } from "./query-queue.ts";

/** A task that the test ends. */
function openTask() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve };
}

test("runs two tasks at a time, and the others in the order of their calls", async () => {
  const queue = new QueryQueue(2, "server/books", 60_000);
  const started: number[] = [];
  const tasks = [0, 1, 2, 3].map(() => openTask());
  const results = tasks.map((task, index) =>
    queue.run(() => {
      started.push(index);
      return task.run();
    }),
  );
  expect(started).toEqual([0, 1]);
  tasks[1]!.end("b");
  expect(await results[1]).toBe("b");
  expect(started).toEqual([0, 1, 2]);
  for (const [index, task] of tasks.entries()) task.end(String(index));
  expect(await Promise.all(results)).toEqual(["0", "b", "2", "3"]);
});

test("a failed task makes room for the next one", async () => {
  const queue = new QueryQueue(1, "server/books", 60_000);
  const failed = errorOf(() => queue.run(() => Promise.reject(new Error("gone"))));
  expect(await queue.run(async () => "next")).toBe("next");
  expect(await failed).toBe("Error: gone");
});

test("rejectWaiting rejects the tasks that wait, and later ones run", async () => {
  const queue = new QueryQueue(1, "server/books", 60_000);
  const running = openTask();
  const first = queue.run(running.run);
  const waiting = errorOf(() => queue.run(async () => "never"));
  queue.rejectWaiting(new Error("gone"));
  expect(await waiting).toBe("Error: gone");
  const later = queue.run(async () => "later");
  running.end("first");
  expect(await Promise.all([first, later])).toEqual(["first", "later"]);
});

test("a task that waits for too long is rejected with the cause, and is never run", async () => {
  const queue = new QueryQueue(1, "server/books", 20);
  const running = openTask();
  const first = queue.run(running.run);
  let ran = false;
  const late = await errorOf(() =>
    queue.run(async () => {
      ran = true;
    }),
  );
  expect(late).toMatch(/^StoreError: PostgreSQL at server\/books is overloaded .*; give the server more/);
  running.end("first");
  expect(await first).toBe("first");
  expect(await queue.run(async () => "next")).toBe("next");
  expect(ran).toBe(false);
});
