import { describe, expect, test } from "bun:test";
import { SearchUnavailable } from "../catalog/store-errors.ts";
import { waitFor } from "../lib/testing/wait-for.ts";
import {
  PREEMPTED,
  type ScheduledSearch,
  type SchedulerLimits,
  SearchScheduler,
} from "./search-scheduler.ts";

const LIMITS: SchedulerLimits = { slots: 1, timeoutMs: 60_000, maxWaiting: 100, maxWaitingPerClient: 100 };

/** A search that ends when the test says so. */
class TestSearch implements ScheduledSearch<string> {
  readonly slots: number[] = [];
  readonly interrupts: string[] = [];
  /** What its client gets: the result, or the reason why there is none. */
  outcome: string | undefined;
  end: (result: string | typeof PREEMPTED) => void = () => {};

  run(slot: number): Promise<string | typeof PREEMPTED> {
    this.slots.push(slot);
    const { promise, resolve } = Promise.withResolvers<string | typeof PREEMPTED>();
    this.end = resolve;
    return promise;
  }

  interrupt(reason: "pause" | "cancel"): void {
    this.interrupts.push(reason);
  }

  get isRunning(): boolean {
    return this.slots.length > 0;
  }
}

class Fixture {
  readonly scheduler: SearchScheduler;
  /** The time of the scheduler passes only when a test adds to it. */
  addedMs = 0;

  constructor(limits: Partial<SchedulerLimits> = {}, continues = true) {
    const now = () => this.addedMs;
    this.scheduler = new SearchScheduler({ ...LIMITS, ...limits }, continues, now);
  }

  add(key: string, signal?: AbortSignal): TestSearch {
    const search = new TestSearch();
    this.scheduler.run(search, { key, ...(signal && { signal }) }).then(
      (result) => {
        search.outcome = result;
      },
      (error) => {
        search.outcome = error instanceof SearchUnavailable ? error.reason : String(error);
      },
    );
    return search;
  }
}

async function ended(search: TestSearch, result: string | typeof PREEMPTED = "found"): Promise<void> {
  search.end(result);
  await waitFor("the search has ended", () => search.outcome !== undefined || result === PREEMPTED);
}

/** Keeps a slot busy for a client. */
async function serve(fixture: Fixture, key: string, ms: number): Promise<void> {
  const search = fixture.add(key);
  fixture.addedMs += ms;
  await ended(search);
}

describe("searches of several clients", () => {
  test("the client that was served least goes first, whatever the others have waiting", async () => {
    const fixture = new Fixture();
    await serve(fixture, "busy", 5);
    const [running, ...waiting] = Array.from({ length: 10 }, () => fixture.add("busy"));
    const other = fixture.add("other");
    await ended(running!);
    expect([other.isRunning, waiting.map(({ isRunning }) => isRunning)]).toEqual([
      true,
      Array(9).fill(false),
    ]);
    await ended(other);
    expect(waiting[0]!.isRunning).toBe(true);
  });

  test("those of one client run in their order", async () => {
    const fixture = new Fixture();
    const searches = Array.from({ length: 3 }, () => fixture.add("one"));
    for (const search of searches) {
      expect(searches.map(({ isRunning }) => isRunning)).toEqual(
        searches.map((each) => each.outcome !== undefined || each === search),
      );
      await ended(search);
    }
  });

  test("a running search gives way to a client that was served less, and then continues in its slot", async () => {
    const fixture = new Fixture({ slots: 2 });
    const [first, second] = [fixture.add("busy"), fixture.add("busy")];
    fixture.addedMs += 50;
    const other = fixture.add("other");
    await waitFor("one is asked to give way", () => first.interrupts.length + second.interrupts.length > 0);
    const [paused, running] = first.interrupts.length > 0 ? [first, second] : [second, first];
    expect([paused.interrupts, running.interrupts]).toEqual([["pause"], []]);
    paused.end(PREEMPTED);
    await waitFor("the other one runs", () => other.isRunning);
    expect(other.slots).toEqual(paused.slots);
    // The other slot is free first, but what the search has found is in its own.
    await ended(running);
    expect(paused.slots).toHaveLength(1);
    await ended(other);
    await waitFor("it continues", () => paused.slots.length === 2);
    expect(new Set(paused.slots).size).toBe(1);
    await ended(paused);
    expect([first, second, other].map(({ outcome }) => outcome)).toEqual(["found", "found", "found"]);
  });

  test("a search that starts again gives way once, and one slot is left to those that can give way", async () => {
    const fixture = new Fixture({ slots: 2 }, false);
    const busy = [fixture.add("busy"), fixture.add("busy")];
    fixture.addedMs += 50;
    const others = [fixture.add("first"), fixture.add("second")];
    await waitFor("both are asked to give way", () =>
      busy.every(({ interrupts }) => interrupts.length === 1),
    );
    for (const search of busy) search.end(PREEMPTED);
    await waitFor("the others run", () => others.every(({ isRunning }) => isRunning));
    for (const other of others) await ended(other);
    await waitFor("one of them runs again", () => busy.some(({ slots }) => slots.length === 2));
    expect(busy.map(({ slots }) => slots.length).sort()).toEqual([1, 2]);
    const again = busy.find(({ slots }) => slots.length === 2)!;
    const third = fixture.add("third");
    await waitFor("the third one runs", () => third.isRunning);
    expect(again.interrupts).toEqual(["pause"]);
  });

  test("a client that is served in time gets its oldest search done, any other one its newest", async () => {
    const fixture = new Fixture();
    const [running, oldest, , newest] = Array.from({ length: 4 }, () => fixture.add("one"));
    await ended(running!);
    expect([oldest!.isRunning, newest!.isRunning]).toEqual([true, false]);
    fixture.addedMs += LIMITS.timeoutMs * 0.6;
    await ended(oldest!);
    expect(newest!.isRunning).toBe(true);
  });
});

describe("the searches that wait", () => {
  test("are limited for each client", () => {
    const fixture = new Fixture({ maxWaitingPerClient: 2 });
    const searches = Array.from({ length: 4 }, () => fixture.add("one"));
    const other = fixture.add("other");
    return waitFor("the last is refused", () => searches[3]!.outcome === "busy").then(() => {
      expect([...searches, other].map(({ outcome }) => outcome)).toEqual([
        undefined,
        undefined,
        undefined,
        "busy",
        undefined,
      ]);
    });
  });

  test("beyond the limit of all displace those of the client with the most", async () => {
    const fixture = new Fixture({ maxWaiting: 3 });
    const busy = Array.from({ length: 4 }, () => fixture.add("busy"));
    const other = fixture.add("other");
    await waitFor("the newest one is refused", () => busy[3]!.outcome === "busy");
    expect([...busy.slice(0, 3), other].map(({ outcome }) => outcome)).toEqual(Array(4).fill(undefined));
  });

  test("are not run when their client leaves, and a running or paused one is cancelled", async () => {
    const fixture = new Fixture();
    const leaving = new AbortController();
    const paused = fixture.add("busy", leaving.signal);
    fixture.addedMs += 50;
    const other = fixture.add("other", leaving.signal);
    await waitFor("it is asked to give way", () => paused.interrupts.length > 0);
    paused.end(PREEMPTED);
    await waitFor("the other one runs", () => other.isRunning);
    const waiting = fixture.add("third", leaving.signal);
    leaving.abort();
    await waitFor("all are rejected", () =>
      [paused, other, waiting].every(({ outcome }) => outcome !== undefined),
    );
    expect([paused.interrupts, other.interrupts, waiting.interrupts]).toEqual([
      ["pause", "cancel"],
      ["cancel"],
      [],
    ]);
    other.end(PREEMPTED);
    const next = fixture.add("busy");
    await waitFor("the slot is free", () => next.isRunning);
    expect([paused.slots.length, waiting.isRunning]).toEqual([1, false]);
  });

  test("fail after their time, as do running ones, which are cancelled", async () => {
    const fixture = new Fixture({ timeoutMs: 30 });
    const [running, waiting] = [fixture.add("one"), fixture.add("one")];
    await waitFor("both have failed", () => running.outcome === "timeout" && waiting.outcome === "timeout");
    expect([running.interrupts, waiting.interrupts]).toEqual([["cancel"], []]);
  });
});
