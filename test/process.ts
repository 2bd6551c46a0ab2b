/** The real program, as its user starts it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const COMMAND = join(import.meta.dir, "../bin/colophon");

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string | Uint8Array;
}

/** Runs a command to its end. Nothing of the surrounding environment that it reads goes in. */
export async function colophon(
  args: readonly string[],
  { cwd, env, stdin }: RunOptions = {},
): Promise<CommandResult> {
  const child = Bun.spawn([COMMAND, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...clean(), ...env },
    stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

export interface ServeProcess {
  readonly url: string;
  /** What it has printed so far. */
  readonly stdout: string;
  /** Printed by `--sample`. */
  readonly token: string | undefined;
  readonly process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  /** All that it has said on standard error, once it has ended. */
  readonly stderr: Promise<string>;
  stop(): Promise<number>;
}

/** Starts `colophon serve` on a free port, and waits until it says where it is. */
export async function startColophon(args: readonly string[], env: Record<string, string> = {}): Promise<ServeProcess> {
  const child = Bun.spawn([COMMAND, "serve", "--port", "0", ...args], {
    env: { ...clean(), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  // Read all the time: a pipe that nobody empties would hold up a server that has much to log.
  const said = new Response(child.stderr).text();
  let printed = "";
  const isComplete = () =>
    /openapi\.html\n/.test(printed) && (!args.includes("--sample") || /\neyJ\S+\n/.test(printed));
  await new Promise<void>((announced) => {
    const read = async () => {
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        if (!isComplete()) printed += text;
        if (isComplete()) announced();
      }
      announced();
    };
    void read();
  });
  const url = /http:\S+(?=\/openapi\.html)/.exec(printed)?.[0];
  if (!url) throw new Error(`colophon serve has ended: ${await said}`);
  return {
    url,
    stdout: printed,
    token: /\n(eyJ\S+)\n/.exec(printed)?.[1],
    process: child,
    stderr: said,
    async stop() {
      child.kill("SIGTERM");
      return await child.exited;
    },
  };
}

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "colophon-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function clean(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(COLOPHON_.*|PORT|HOST)$/.test(name));
  return Object.fromEntries(kept) as Record<string, string>;
}
