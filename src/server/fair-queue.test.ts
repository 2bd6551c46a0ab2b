import { expect, test } from "bun:test";
import { Queue } from "./fair-queue.ts";

/** The number of the loop's turn, for as long as it is asked. */
function turns(): { now: number; stop(): void } {
  const counted = { now: 0, stop: () => clearImmediate(next) };
  let next = setImmediate(function count() {
    counted.now++;
    next = setImmediate(count);
  });
  return counted;
}

function burn(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("pieces that take all of the time have a turn of the loop each, in the order in which they came", async () => {
  const queue = new Queue(1);
  const turn = turns();
  const ran: number[] = [];
  const at = new Set<number>();
  await new Promise<void>((resolve) => {
    for (let piece = 0; piece < 30; piece++) {
      queue.add(() => {
        burn(2);
        ran.push(piece);
        at.add(turn.now);
        if (piece === 29) resolve();
      });
    }
    expect(ran).toEqual([]);
  });
  turn.stop();
  expect(ran).toEqual(Array.from({ length: 30 }, (_, piece) => piece));
  expect(at.size).toBe(30);
});

test("short ones share a turn; what one of them adds comes behind all that wait", async () => {
  const queue = new Queue(60_000);
  const turn = turns();
  const ran: string[] = [];
  const at = new Set<number>();
  await new Promise<void>((resolve) => {
    for (const name of ["a", "b", "c"]) {
      queue.add(() => {
        ran.push(name);
        at.add(turn.now);
        queue.add(() => {
          ran.push(`${name}, again`);
          at.add(turn.now);
          if (name === "c") resolve();
        });
      });
    }
  });
  turn.stop();
  expect(ran).toEqual(["a", "b", "c", "a, again", "b, again", "c, again"]);
  expect(at.size).toBe(1);
});
