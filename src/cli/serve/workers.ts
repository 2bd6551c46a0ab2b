/** Several processes on one port: starts them, puts another in the place of one that dies, and ends them. */
import { join } from "node:path";
import type { Observe } from "../../watch/event.ts";
import type { MetricsSnapshot } from "../../watch/metrics-snapshot.ts";
import { Totals } from "../../watch/worker-totals.ts";
import { taking } from "./listen.ts";
import { CommandError } from "../terminal/usage.ts";
import { type Said, TASK, type WorkerTask } from "./worker.ts";

export interface Workers {
  readonly port: number;
  /** What all of them have counted, with the supervisor's own. Who does not say it in time is taken by its last word. */
  counted(own: MetricsSnapshot): Promise<MetricsSnapshot>;
  /** SIGHUP, to each of them. */
  reload(): void;
  /** Lets answers under way finish, and gives the number of connections that were cut off. */
  stop(): Promise<number>;
}

/** The first wait before a worker is replaced that has died young, in milliseconds; it doubles each time. */
const WAIT = 100;
const LONGEST_WAIT = 5000;
/** How long a worker may take to say what it has counted, in milliseconds. */
const PATIENCE = 1000;
/** Who has lived so long has not died of its start. */
const GROWN_UP = 5000;

/** Resolves when all of them listen. */
export async function startWorkers(number: number, task: WorkerTask, observe: Observe): Promise<Workers> {
  const totals = new Totals();
  // Workers share a port with whoever does the same; that nobody has it yet is asked for here.
  const probe = { hostname: task.host, port: task.port, socket: { data() {} } };
  if (!task.sharePort) taking(task, () => Bun.listen(probe)).stop(true);
  const places: Place[] = [];
  const stop = async () => {
    const cut = await Promise.all(places.map((place) => place.stop()));
    return cut.reduce((sum, one) => sum + one, 0);
  };
  try {
    // The first one finds a port where any will do; the others take the same.
    const first = new Place(task, totals, observe);
    places.push(first);
    const port = await first.listening;
    while (places.length < number) places.push(new Place({ ...task, port }, totals, observe));
    await Promise.all(places.map((place) => place.listening));
    const counted = async (own: MetricsSnapshot) => {
      await Promise.all(places.map((place) => place.ask()));
      return totals.with(own);
    };
    const reload = () => {
      for (const place of places) place.reload();
    };
    return { port, counted, reload, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where one worker is at a time. */
class Place {
  /** The port, once the first worker of this place has it; fails when that one does not come up. */
  readonly listening: Promise<number>;
  readonly #listens = Promise.withResolvers<number>();
  #task: WorkerTask;
  #worker: Bun.Subprocess;
  #wait = WAIT;
  #replacing: Timer | undefined;
  #hasListened = false;
  #ending = false;
  #answered = () => {};
  #asking: Promise<void> | undefined;
  #cut = 0;

  constructor(
    task: WorkerTask,
    readonly totals: Totals,
    readonly observe: Observe,
  ) {
    this.#task = task;
    this.listening = this.#listens.promise;
    this.#worker = this.#start();
  }

  /** Has the worker tell what it has counted; resolves when it has, has ended, or takes too long. */
  ask(): Promise<void> {
    // Two who ask at once have the same answer.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answered = resolve;
    const timer = setTimeout(resolve, PATIENCE);
    try {
      this.#worker.send({});
      await promise;
    } catch {
      // It has just ended.
    } finally {
      clearTimeout(timer);
    }
  }

  reload(): void {
    this.#worker.kill("SIGHUP");
  }

  async stop(): Promise<number> {
    this.#ending = true;
    clearTimeout(this.#replacing);
    this.#worker.kill("SIGTERM");
    await this.#worker.exited;
    return this.#cut;
  }

  #start(): Bun.Subprocess {
    const started = performance.now();
    return Bun.spawn([process.execPath, ...process.execArgv, join(import.meta.dir, "worker.ts")], {
      // Not an argument, which everyone on the machine could read: a URL of a database may have a password.
      env: { ...process.env, [TASK]: JSON.stringify(this.#task) },
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      ipc: (said: Said, worker) => {
        if ("counted" in said) {
          this.totals.update(worker.pid, said.counted);
          this.#answered();
        } else if ("cut" in said) {
          this.#cut = said.cut;
        } else {
          this.#task = { ...this.#task, port: said.port };
          this.#hasListened = true;
          this.#listens.resolve(said.port);
        }
      },
      onExit: (worker, code, signal) => {
        this.totals.ended(worker.pid);
        this.#answered();
        if (this.#ending) return;
        const how = signal === null ? `exit ${code}` : `signal ${signal}`;
        if (!this.#hasListened) {
          this.#ending = true;
          this.#listens.reject(new CommandError(`a worker could not start (${how})`));
          return;
        }
        this.#wait = performance.now() - started > GROWN_UP ? WAIT : Math.min(this.#wait * 2, LONGEST_WAIT);
        this.observe({ kind: "worker", state: "died", pid: worker.pid, why: how });
        this.#replacing = setTimeout(() => {
          this.#worker = this.#start();
          this.observe({ kind: "worker", state: "replaced", pid: this.#worker.pid });
        }, this.#wait - WAIT);
      },
    });
  }
}
