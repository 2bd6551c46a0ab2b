/** Runs `child-program.ts`: other processes that use a store. */
import { join } from "node:path";

const PROGRAM = join(import.meta.dir, "child-program.ts");

/** Runs a task to its end, and returns its output. */
export async function runChild(...task: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, PROGRAM, ...task], { stdout: "pipe", stderr: "inherit" });
  return await new Response(child.stdout).text();
}

export interface ChildProcess extends Disposable {
  /** Sends a line to the child's standard input. */
  send(line: string): void;
  /** Returns the next line of the output. Is empty when the child has ended. */
  nextLine(): Promise<string>;
  /** Sends SIGKILL, so that the child cannot clean up. */
  kill(): Promise<void>;
}

/** Starts a task that reads and writes line by line. */
export function startChild(...task: string[]): ChildProcess {
  const child = Bun.spawn([process.execPath, PROGRAM, ...task], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const chunks = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    send(line) {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
    },
    async nextLine() {
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
