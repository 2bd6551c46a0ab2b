/**
 * Shares the threads or connections of searches between clients by least attained service (LAS): the client that was
 * served least in the last seconds goes first, and a running search of another one gives way to it.
 */
import type { SearchClient } from "../catalog/search/search.ts";
import { SearchUnavailable } from "../catalog/store-errors.ts";

export interface SchedulerLimits {
  /** How many searches run at a time. */
  readonly slots: number;
  /** How long a search may take, with the time that it waits. */
  readonly timeoutMs: number;
  /** Searches that wait. When as many do, a client with fewer displaces the last one of the client with the most. */
  readonly maxWaiting: number;
  readonly maxWaitingPerClient: number;
}

/** A search that waits takes some kilobytes. A client that is refused at once may try again at once. */
export const SCHEDULER_LIMITS = { timeoutMs: 2000, maxWaiting: 2048, maxWaitingPerClient: 256 };

/** What a search returns that has given way. It is run again later. */
export const PREEMPTED = Symbol("preempted");

/** A search as its engine runs it. */
export interface ScheduledSearch<T> {
  /** Runs it in a slot, for the first time or after it has given way. */
  run(slot: number): Promise<T | typeof PREEMPTED>;
  /** Asks a running search to give way (`pause`), or discards a running or paused one (`cancel`). */
  interrupt(reason: "pause" | "cancel"): void;
}

/** Service counts half after this time. */
const HALF_LIFE_MS = 5000;
/** A search gives way to a client that was served so much less. Less would mean many switches. */
const QUANTUM_MS = 30;
/** How often running searches are compared with those that wait. */
const TICK_MS = 20;
/** Clients that were served less are forgotten when there are many. */
const FORGOTTEN_MS = 1;
const MANY_CLIENTS = 1000;

interface Client {
  readonly key: string;
  /** Service up to `atMs`, decayed to then. */
  servedMs: number;
  atMs: number;
  /** Newest first. */
  readonly waiting: Job[];
  readonly running: Set<Job>;
}

class Job {
  isSettled = false;
  startedMs = 0;
  /** The slot that it runs in or, when it continues where it was, has run in. */
  slot: number | undefined;
  isAskedToPause = false;
  hasPaused = false;
  /** Called when the search is over, for whatever reason. */
  onSettled = () => {};

  constructor(
    readonly search: ScheduledSearch<unknown>,
    readonly client: Client,
    readonly queuedMs: number,
    readonly resolve: (result: unknown) => void,
    readonly reject: (error: unknown) => void,
  ) {}
}

export class SearchScheduler {
  readonly #limits: SchedulerLimits;
  readonly #continues: boolean;
  readonly #now: () => number;
  readonly #clients = new Map<string, Client>();
  readonly #running: (Job | undefined)[];
  #waiting = 0;
  #ticks: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  /**
   * `continues`: a search that has given way continues where it was, in the same slot. Otherwise it starts again, gives
   * way once, and leaves one slot to those that still can. `now` is the clock of service and waiting.
   */
  constructor(limits: SchedulerLimits, continues: boolean, now = () => performance.now()) {
    this.#limits = limits;
    this.#continues = continues;
    this.#now = now;
    this.#running = Array.from({ length: limits.slots });
  }

  /** Rejects with `SearchUnavailable` when too many wait, when the time is over, and when the client has left. */
  run<T>(search: ScheduledSearch<T>, { key = "", signal }: SearchClient = {}): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error("The store is closed"));
    const client = this.#clientOf(key);
    if (signal?.aborted || !this.#hasRoom(client)) return Promise.reject(new SearchUnavailable("busy"));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job = new Job(search, client, this.#now(), resolve as (result: unknown) => void, reject);
    const stop = () => this.#cancel(job, new SearchUnavailable("timeout"));
    const timer = setTimeout(stop, this.#limits.timeoutMs);
    signal?.addEventListener("abort", stop);
    job.onSettled = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    };
    client.waiting.unshift(job);
    this.#waiting++;
    this.#schedule();
    return promise;
  }

  /** Rejects the searches that wait. Those that run are not waited for. */
  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients.values())
      for (const job of [...client.waiting]) this.#cancel(job, new Error("The store is closed"));
  }

  #clientOf(key: string): Client {
    let client = this.#clients.get(key);
    if (client === undefined) {
      if (this.#clients.size >= MANY_CLIENTS) this.#forgetClients();
      client = { key, servedMs: 0, atMs: this.#now(), waiting: [], running: new Set() };
      this.#clients.set(key, client);
    }
    return client;
  }

  #forgetClients(): void {
    const nowMs = this.#now();
    for (const [key, client] of this.#clients) {
      const isIdle = client.waiting.length === 0 && client.running.size === 0;
      if (isIdle && servedMs(client, nowMs) < FORGOTTEN_MS) this.#clients.delete(key);
    }
  }

  /** Longest queue drop: clients with few searches get a place whatever the others have waiting. */
  #hasRoom(client: Client): boolean {
    if (client.waiting.length >= this.#limits.maxWaitingPerClient) return false;
    if (this.#waiting < this.#limits.maxWaiting) return true;
    let longest = client;
    for (const other of this.#clients.values())
      if (other.waiting.length > longest.waiting.length) longest = other;
    if (longest === client) return false;
    this.#cancel(longest.waiting[0]!, new SearchUnavailable("busy"));
    return true;
  }

  /** Starts searches in free slots, and asks others to give way. */
  readonly #schedule = (): void => {
    const nowMs = this.#now();
    for (let slot = 0; slot < this.#running.length; slot++) {
      const job = this.#running[slot] ? undefined : this.#next(slot, nowMs);
      if (job) this.#start(job, slot, nowMs);
    }
    if (this.#waiting > 0) {
      this.#ticks ??= setInterval(this.#schedule, TICK_MS);
      this.#preempt(nowMs);
    } else {
      clearInterval(this.#ticks);
      this.#ticks = undefined;
    }
  };

  /** Returns a search of the client that was served least. */
  #next(slot: number, nowMs: number, isTaken: (job: Job) => boolean = () => false): Job | undefined {
    let next: Job | undefined;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const client of this.#clients.values()) {
      const job = this.#nextOf(client, nowMs, (each) => !isTaken(each) && this.#fits(each, slot));
      const ms = job ? servedMs(client, nowMs) : leastMs;
      if (ms < leastMs) [next, leastMs] = [job, ms];
    }
    return next;
  }

  /**
   * Adaptive LIFO: a client that has more waiting than is served in time gets its newest searches done. The oldest would
   * all run out of time. Those that have begun come first.
   */
  #nextOf({ waiting }: Client, nowMs: number, isPossible: (job: Job) => boolean): Job | undefined {
    const isLate = waiting.length > 0 && nowMs - waiting.at(-1)!.queuedMs > this.#limits.timeoutMs / 2;
    const begun = waiting.find((job) => job.hasPaused && isPossible(job));
    return begun ?? (isLate ? waiting.find(isPossible) : waiting.findLast(isPossible));
  }

  #fits(job: Job, slot: number): boolean {
    if (this.#continues) return job.slot === undefined || job.slot === slot;
    const others = this.#running.filter((other, index) => index !== slot && other && !this.#mayPause(other));
    return this.#mayPause(job) || others.length < this.#running.length - 1;
  }

  #mayPause(job: Job): boolean {
    return this.#continues || !job.hasPaused;
  }

  /** Each search that waits displaces at most one. */
  #preempt(nowMs: number): void {
    const claimed = new Set<Job>();
    const isTaken = (job: Job) => claimed.has(job);
    const order = (job: Job) => (job.isAskedToPause ? Number.POSITIVE_INFINITY : servedMs(job.client, nowMs));
    const running = this.#running.filter((job) => job !== undefined);
    for (const job of running.sort((a, b) => order(b) - order(a))) {
      const next = this.#mayPause(job) ? this.#next(job.slot!, nowMs, isTaken) : undefined;
      if (!next || servedMs(next.client, nowMs) + QUANTUM_MS > order(job)) continue;
      claimed.add(next);
      if (job.isAskedToPause) continue;
      job.isAskedToPause = true;
      job.search.interrupt("pause");
    }
  }

  #start(job: Job, slot: number, nowMs: number): void {
    this.#stopWaiting(job);
    job.slot = slot;
    job.startedMs = nowMs;
    job.isAskedToPause = false;
    job.client.running.add(job);
    this.#running[slot] = job;
    job.search.run(slot).then(
      (result) => this.#end(job, result),
      (error) => this.#end(job, PREEMPTED, error),
    );
  }

  /** The error is undefined for a search that has succeeded or given way. */
  #end(job: Job, result: unknown, error?: unknown): void {
    const { client } = job;
    const nowMs = this.#now();
    client.servedMs = decayed(client, nowMs) + (nowMs - job.startedMs);
    client.atMs = nowMs;
    client.running.delete(job);
    this.#running[job.slot!] = undefined;
    if (error !== undefined) this.#settle(job, () => job.reject(error));
    else if (result !== PREEMPTED) this.#settle(job, () => job.resolve(result));
    else if (!job.isSettled) {
      job.hasPaused = true;
      if (!this.#continues) job.slot = undefined;
      client.waiting.push(job);
      this.#waiting++;
    }
    this.#schedule();
  }

  #cancel(job: Job, error: Error): void {
    this.#stopWaiting(job);
    if (job.slot !== undefined) job.search.interrupt("cancel");
    this.#settle(job, () => job.reject(error));
  }

  #stopWaiting(job: Job): void {
    const index = job.client.waiting.indexOf(job);
    if (index < 0) return;
    job.client.waiting.splice(index, 1);
    this.#waiting--;
  }

  #settle(job: Job, outcome: () => void): void {
    if (job.isSettled) return;
    job.isSettled = true;
    job.onSettled();
    outcome();
  }
}

function decayed({ servedMs: ms, atMs }: Client, nowMs: number): number {
  return ms * 2 ** ((atMs - nowMs) / HALF_LIFE_MS);
}

/** Returns the service of a client in the last seconds, with that of searches that run. */
function servedMs(client: Client, nowMs: number): number {
  let ms = decayed(client, nowMs);
  for (const { startedMs } of client.running) ms += nowMs - startedMs;
  return ms;
}
