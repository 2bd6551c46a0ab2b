/** Runs commands in this process, for tests of what a command does to a catalog. */
import { runCommand } from "../src/cli/terminal/run-command.ts";
import { type CommandResult, type RunOptions, colophon as runProcess } from "./process.ts";

/** One command at a time has the output of this process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Like that of `process.ts`, with a fraction of the processor time, which is mostly that of a start. In a folder, with
 * standard input, and for an executable, it runs the program.
 */
export function colophon(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const { cwd, stdin, env = {} } = options;
  if (cwd ?? stdin ?? process.env.COLOPHON_PROGRAM) return runProcess(args, options);
  const result = last.then(() => withEnvironment(env, () => capture(() => runCommand([...args]))));
  last = result.catch(() => {});
  return result;
}

async function withEnvironment<T>(env: Record<string, string>, run: () => Promise<T>): Promise<T> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    return await run();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

async function capture(run: () => Promise<number>): Promise<CommandResult> {
  const [stdout, stderr] = [process.stdout, process.stderr].map(captureStream);
  const { log, error } = console;
  console.log = (text: unknown) => void stdout!.chunks.push(Buffer.from(`${text}\n`));
  console.error = (text: unknown) => void stderr!.chunks.push(Buffer.from(`${text}\n`));
  try {
    const code = await run();
    const [out, err] = [stdout, stderr].map((each) => new TextDecoder().decode(Buffer.concat(each!.chunks)));
    return { code, stdout: out!, stderr: err! };
  } finally {
    Object.assign(console, { log, error });
    for (const each of [stdout, stderr]) each!.restore();
  }
}

function captureStream(stream: NodeJS.WriteStream) {
  const chunks: Buffer[] = [];
  const { write, isTTY } = stream;
  const listeners = stream.listeners("error");
  stream.isTTY = false;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    (rest.at(-1) as (() => void) | undefined)?.();
    return true;
  };
  return {
    chunks,
    restore() {
      Object.assign(stream, { write, isTTY });
      for (const added of stream.listeners("error"))
        if (!listeners.includes(added)) stream.off("error", added as () => void);
    },
  };
}
