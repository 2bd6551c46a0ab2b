/** Runs one child process at a time for `serve`: pings it, and replaces it when it dies or hangs. */
import { ownCommand } from "../../lib/program-files.ts";
import { HEARTBEAT_INTERVAL_MS, Heartbeat, type HeartbeatEvents } from "./heartbeat.ts";

interface Supervision<Message> extends Pick<HeartbeatEvents, "isWorking" | "onSilent" | "onHeard"> {
  readonly command: string;
  /**
   * Called before each start. Settings go into the environment: arguments are visible to all users of the machine, and
   * a database URL may contain a password.
   */
  readonly spawnOptions: () => {
    readonly env: Readonly<Record<string, string>>;
    /** Follow standard error. A descriptor has the same number in the child: its position. */
    readonly descriptors?: readonly number[];
  };
  readonly receive: (message: Message, pid: number) => void;
  /** Called when a process has ended, also on demand. Returns whether to replace it. */
  readonly onExit: (pid: number, reason: string) => boolean;
  readonly onReplaced?: (pid: number) => void;
  /** The delay for a process that died before the last one was stable. It about doubles with each further one. */
  readonly minRestartDelayMs: number;
  /** A process that ran this long is stable, and is replaced at once. */
  readonly maxRestartDelayMs: number;
  /** How long a process may take to stop. */
  readonly killTimeoutMs: number;
}

export class SupervisedProcess<Message> {
  readonly #supervision: Supervision<Message>;
  readonly #heartbeat: Heartbeat;
  readonly #checks: Timer;
  #child: Bun.Subprocess;
  #restartDelayMs = 0;
  #restartTimer: Timer | undefined;
  #isStopping = false;
  #killReason = "";

  constructor(supervision: Supervision<Message>) {
    this.#supervision = supervision;
    const { isWorking, onSilent, onHeard } = supervision;
    this.#heartbeat = new Heartbeat({
      ping: () => this.send({ kind: "ping" }),
      onHung: (seconds) => this.#kill(`it had not responded for ${seconds} s`),
      isWorking,
      onSilent,
      onHeard,
    });
    this.#child = this.#start();
    // From the beginning: a process that hangs while it starts would delay the start for ever.
    this.#checks = setInterval(() => this.#heartbeat.check(), HEARTBEAT_INTERVAL_MS);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** For how many seconds no process has been ready and responded. */
  get notServingSeconds(): number {
    return this.#heartbeat.notServingSeconds;
  }

  /** The process does its work from now on. */
  ready(): void {
    this.#heartbeat.ready();
  }

  /** Returns whether the process can receive the message. */
  send(message: { readonly kind: string }): boolean {
    try {
      this.#child.send(message);
      return true;
    } catch {
      // It has just ended.
      return false;
    }
  }

  /** Sends the message `stop`, and resolves when the process has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#checks);
    clearTimeout(this.#restartTimer);
    this.send({ kind: "stop" });
    const timer = setTimeout(() => this.#kill("it did not stop"), this.#supervision.killTimeoutMs);
    await this.#child.exited;
    clearTimeout(timer);
  }

  #start(): Bun.Subprocess {
    const startedAtMs = performance.now();
    this.#heartbeat.restart();
    this.#killReason = "";
    const { command, spawnOptions, receive } = this.#supervision;
    const { env, descriptors = [] } = spawnOptions();
    return Bun.spawn([...ownCommand(), command], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit", ...descriptors],
      ipc: (message: Message, { pid }) => {
        this.#heartbeat.respond();
        receive(message, pid);
      },
      onExit: ({ pid }, code, signal) => {
        const reason = signal === null ? `exit ${code}` : `signal ${signal}${this.#killReason}`;
        this.#handleExit(pid, reason, performance.now() - startedAtMs);
      },
    });
  }

  /** Not with SIGTERM, which a stopped process does not handle. */
  #kill(reason: string): void {
    this.#killReason = `: ${reason}`;
    this.#child.kill("SIGKILL");
  }

  #handleExit(pid: number, reason: string, lifetimeMs: number): void {
    const { onExit, onReplaced, minRestartDelayMs, maxRestartDelayMs } = this.#supervision;
    const isReplaced = onExit(pid, reason);
    if (this.#isStopping) return;
    if (!isReplaced) {
      clearInterval(this.#checks);
      return;
    }
    this.#heartbeat.restart();
    this.#restartDelayMs =
      lifetimeMs > maxRestartDelayMs
        ? 0
        : Math.min(this.#restartDelayMs * 2 + minRestartDelayMs, maxRestartDelayMs);
    this.#restartTimer = setTimeout(() => {
      this.#child = this.#start();
      onReplaced?.(this.#child.pid);
    }, this.#restartDelayMs);
  }
}
