import { expect, test } from "bun:test";
import { FairQueue, MAX_READS } from "./fair-queue.ts";

/** Counts the ticks of the event loop until it is stopped. */
function countTicks(): { current: number; stop(): void } {
  const ticks = { current: 0, stop: () => clearImmediate(next) };
  let next = setImmediate(function count() {
    ticks.current++;
    next = setImmediate(count);
  });
  return ticks;
}

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("runs tasks that use up the budget in a tick each, in the order of arrival", async () => {
  const queue = new FairQueue(1);
  const ticks = countTicks();
  const order: number[] = [];
  const usedTicks = new Set<number>();
  await new Promise<void>((resolve) => {
    for (let task = 0; task < 30; task++) {
      queue.add(() => {
        spin(2);
        order.push(task);
        usedTicks.add(ticks.current);
        if (task === 29) resolve();
      });
    }
    expect(order).toEqual([]);
  });
  ticks.stop();
  expect(order).toEqual(Array.from({ length: 30 }, (_, task) => task));
  expect(usedTicks.size).toBe(30);
});

test("runs short tasks in one tick, and what they add after all that wait", async () => {
  const queue = new FairQueue(60_000);
  const ticks = countTicks();
  const order: string[] = [];
  const usedTicks = new Set<number>();
  await new Promise<void>((resolve) => {
    for (const name of ["a", "b", "c"]) {
      queue.add(() => {
        order.push(name);
        usedTicks.add(ticks.current);
        queue.add(() => {
          order.push(`${name}, again`);
          usedTicks.add(ticks.current);
          if (name === "c") resolve();
        });
      });
    }
  });
  ticks.stop();
  expect(order).toEqual(["a", "b", "c", "a, again", "b, again", "c, again"]);
  expect(usedTicks.size).toBe(1);
});

test("clients take turns, whatever each has waiting", async () => {
  const queue = new FairQueue(60_000);
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"])
      queue.add(() => {
        order.push(name);
        if (name === "a4") resolve();
      }, name[0]);
  });
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

/** Runs tasks that return their names. */
function runNamed(queue: FairQueue, order: string[]) {
  return (name: string) =>
    queue.run(() => {
      order.push(name);
      return name;
    });
}

test("runs tasks at once while the tick has time left", () => {
  const order: string[] = [];
  const run = runNamed(new FairQueue(60_000), order);
  expect([run("a"), run("b")]).toEqual(["a", "b"]);
  expect(order).toEqual(["a", "b"]);
});

test("runs one task of a tick at once when there is no time for more, and the others in later ticks", async () => {
  const order: string[] = [];
  const run = runNamed(new FairQueue(0), order);
  expect(run("a")).toBe("a");
  const late = [run("b"), run("c")];
  expect(order).toEqual(["a"]);
  expect(await Promise.all(late)).toEqual(["b", "c"]);
  expect(order).toEqual(["a", "b", "c"]);
  expect(run("d")).toBe("d");
});

test("runs no task at once while others wait", async () => {
  const order: string[] = [];
  const queue = new FairQueue(60_000);
  queue.add(() => order.push("chunk"));
  await runNamed(queue, order)("list");
  expect(order).toEqual(["chunk", "list"]);
});

test("rejects with what a task throws that had to wait, and runs those behind it", async () => {
  const queue = new FairQueue(0);
  queue.run(() => {});
  const failed = queue.run(() => {
    throw new Error("broken");
  });
  const next = queue.run(() => "next");
  await expect(failed as Promise<unknown>).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

test("runs a task at once in each tick that has time left", async () => {
  const queue = new FairQueue(1);
  expect(queue.run(() => "first")).toBe("first");
  await Bun.sleep(5);
  expect(queue.run(() => "second")).toBe("second");
});

test("waits while many parts are read, and then takes the clients in turn", async () => {
  const queue = new FairQueue(60_000);
  const order: string[] = [];
  const clients = ["many", "few"];
  for (let read = 0; read < MAX_READS; read++) queue.beginRead(clients[read % 2]);
  const readPart = (client: string) => () => {
    order.push(client);
    queue.beginRead(client);
  };
  for (const client of ["many", "many", "many", "few"]) queue.add(readPart(client), client);
  const tick = () => new Promise(setImmediate);
  await tick();
  await tick();
  expect(order).toEqual([]);
  for (const expected of [["many"], ["many", "few"], ["many", "few", "many"]]) {
    queue.endRead("many");
    await tick();
    await tick();
    expect(order).toEqual(expected);
  }
});

test("a client without a part that is read does not wait for those of another one", async () => {
  const queue = new FairQueue(60_000);
  const order: string[] = [];
  for (let read = 0; read < MAX_READS; read++) queue.beginRead("many");
  const readPart = (client: string) => () => {
    order.push(client);
    queue.beginRead(client);
  };
  for (const client of ["many", "few", "few"]) queue.add(readPart(client), client);
  const tick = () => new Promise(setImmediate);
  await tick();
  await tick();
  expect(order).toEqual(["few"]);
  queue.endRead("few");
  await tick();
  await tick();
  expect(order).toEqual(["few", "few"]);
});
