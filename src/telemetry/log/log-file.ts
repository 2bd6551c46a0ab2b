/** The log in a named file, which other programs rotate: by truncating it, or by renaming it and a signal. */
import { close, constants, openSync, write } from "node:fs";
import { errorMessage } from "../../lib/error-message.ts";
import { type LogTarget, maxWriteBytesOf, type Sink } from "./log-writer.ts";

/**
 * With O_APPEND every write goes to the end of the file, also after another process has truncated it or written to it.
 * A FIFO without a reader is an error with O_NONBLOCK; without it, the process would wait for one.
 */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK;

/** The log has addresses of clients, so it is not for all users of the machine. */
const MODE = 0o640;

const LINE_FEED = Buffer.from("\n");

export class LogFile implements LogTarget {
  readonly #path: string;
  readonly #onProblem: (message: string) => void;
  #descriptor: number;
  #writing: Promise<void> = Promise.resolve();
  /** A write has failed within a line. */
  #isLineOpen = false;
  #hasFailed = false;

  /** Opens the file, and creates it where there is none. Throws when that fails. */
  constructor(path: string, onProblem: (message: string) => void) {
    this.#path = path;
    this.#onProblem = onProblem;
    this.#descriptor = openSync(path, FLAGS, MODE);
  }

  get maxWriteBytes(): number {
    return maxWriteBytesOf(this.#descriptor);
  }

  /** Rejects when the chunk could not be written. The first failure of a row of them is reported. */
  readonly sink: Sink = (chunk) => {
    const descriptor = this.#descriptor;
    this.#writing = this.#write(descriptor, this.#isLineOpen ? Buffer.concat([LINE_FEED, chunk]) : chunk);
    return this.#writing;
  };

  /**
   * Opens the path again, and returns whether that succeeded. When it fails, that is reported, and the log goes on in
   * the file that is open. No line is lost: a write in flight ends in the old file.
   */
  reopen(): boolean {
    try {
      const old = this.#descriptor;
      this.#descriptor = openSync(this.#path, FLAGS, MODE);
      this.#isLineOpen = false;
      void this.#writing.catch(() => {}).then(() => close(old, () => {}));
      return true;
    } catch (error) {
      const advice = "make its folder writable and send SIGHUP again";
      this.#report(`cannot be opened again (${errorMessage(error)}); the old file is used: ${advice}`);
      return false;
    }
  }

  async #write(descriptor: number, bytes: Buffer): Promise<void> {
    let rest = bytes;
    try {
      while (rest.length > 0) rest = rest.subarray(await writeOnce(descriptor, rest));
      this.#isLineOpen = false;
      this.#hasFailed = false;
    } catch (error) {
      this.#isLineOpen ||= rest.length < bytes.length && bytes[bytes.length - rest.length - 1] !== 0x0a;
      const advice = "free space or correct its rights";
      if (!this.#hasFailed) {
        this.#report(`cannot be written (${errorMessage(error)}); lines are dropped until it can: ${advice}`);
      }
      this.#hasFailed = true;
      throw error;
    }
  }

  #report(problem: string): void {
    this.#onProblem(`the log file ${this.#path} ${problem}`);
  }
}

function writeOnce(descriptor: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) =>
    write(descriptor, bytes, 0, bytes.length, null, (error, written) =>
      error ? reject(error) : resolve(written),
    ),
  );
}
