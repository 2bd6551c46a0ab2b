/** Runs the operator's command after each feed. Feed names are in its environment only, never in its command line. */
import { spawn } from "node:child_process";
import { withTimeout } from "../../lib/awaitable.ts";
import { errorMessage } from "../../lib/error-message.ts";
import type { WatchObserver } from "./watch-event.ts";

interface HookCall {
  /** The name below the watched folder. */
  readonly feed: string;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A command that takes longer is killed. */
const HOOK_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_CHARS = 500;
/** Imports wait when so many calls do. */
const MAX_WAITING = 1000;
/** How long the end of the process waits for the command that runs. */
const STOP_TIMEOUT_MS = 3000;

export class ImportHook {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isStopped = false;

  constructor(
    readonly command: string,
    readonly observe: WatchObserver,
    readonly timeoutMs = HOOK_TIMEOUT_MS,
  ) {}

  /**
   * Runs the command after those that were called before, beside the imports. `onEnd` is called whatever its outcome.
   * Resolves when the next call may follow.
   */
  async call(call: HookCall, onEnd: () => void): Promise<void> {
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      if (this.#isStopped) return;
      const reason = await run(this.command, call.variables, this.timeoutMs).catch(cannotRun);
      this.#waiting--;
      if (reason !== undefined) this.observe({ kind: "hook", feed: call.feed, reason });
      try {
        onEnd();
      } catch (error) {
        this.observe({ kind: "hook", feed: call.feed, reason: errorMessage(error) });
      }
    });
    if (this.#waiting > MAX_WAITING) await this.#last;
  }

  /** Resolves when all calls have ended. */
  idle(): Promise<void> {
    return this.#last;
  }

  /** Waits a little for the command that runs. Calls that wait are not made: the next process makes them. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await withTimeout(this.#last, STOP_TIMEOUT_MS, () => new Error("timeout")).catch(() => {});
  }
}

/** Returns why the command has failed, or undefined when it has not. Rejects when it cannot be started. */
async function run(
  command: string,
  variables: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // A reason may quote a name of an archive, which can have U+0000. No variable can.
  const texts = Object.entries(variables).map(([name, text]) => [name, text.replaceAll("\0", "\ufffd")]);
  // A group of its own, so that a timeout also ends what the command has started.
  const child = spawn("/bin/sh", ["-c", command], {
    env: { ...process.env, ...Object.fromEntries(texts) },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let output = "";
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killGroup(child.pid);
  }, timeoutMs);
  child.stderr.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARS);
  });
  const end = (reason: string | undefined) => {
    clearTimeout(timer);
    // A process that the command has left behind may keep the pipe open.
    child.stderr.destroy();
    resolve(reason);
  };
  child.on("error", (error) => end(cannotRun(error)));
  child.on("exit", (code, signal) => {
    // The rest of its output is in the pipe.
    setImmediate(() => {
      const said = output.trim() === "" ? "" : `: ${output.trim()}`;
      if (isLate)
        end(`the command of --on-import took longer than ${timeoutMs / 1000} s and was killed${said}`);
      else if (code === 0) end(undefined);
      else
        end(`the command of --on-import has failed (${signal ? `signal ${signal}` : `exit ${code}`})${said}`);
    });
  });
  return await promise;
}

function cannotRun(error: unknown): string {
  return `the command of --on-import cannot be run (${errorMessage(error)})`;
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
