/** For the tests of this folder: a place to work in, and other processes that use a store. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class TempFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "colophon-"));
  readonly catalog = join(this.path, "catalog.db");

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

const PROGRAM = join(import.meta.dir, "child-program.ts");

/** Runs a task of `testing.program.ts` to its end, and gives what it said. */
export async function runChild(...task: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, PROGRAM, ...task], { stdout: "pipe", stderr: "inherit" });
  return await new Response(child.stdout).text();
}

export interface ChildProcess extends Disposable {
  say(line: string): void;
  /** The next line of its output; empty when it has ended. */
  line(): Promise<string>;
  /** SIGKILL: it has no chance to tidy up. */
  kill(): Promise<void>;
}

/** Starts a task, to be talked with line by line. */
export function startChild(...task: string[]): ChildProcess {
  const child = Bun.spawn([process.execPath, PROGRAM, ...task], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const chunks = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    say(line) {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
    },
    async line() {
      while (!text.includes("\n")) {
        const { done, value } = await chunks.read();
        if (done) return "";
        text += value;
      }
      const [line = "", ...rest] = text.split("\n");
      text = rest.join("\n");
      return line;
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
    [Symbol.dispose]() {
      child.kill("SIGKILL");
    },
  };
}
