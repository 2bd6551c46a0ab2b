/**
 * Runs the real program as an operator starts it: from sources, or the one that COLOPHON_PROGRAM names. That one is an
 * executable (`npm run test:executable`), and runs in an empty folder with an empty PATH.
 */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createProcessFolder } from "../src/lib/testing/process-folder.ts";

const EXECUTABLE = process.env.COLOPHON_PROGRAM && resolve(process.env.COLOPHON_PROGRAM);
export const COMMAND = EXECUTABLE || join(import.meta.dir, "../bin/colophon");

/** The feed of the sample catalog. */
export const SAMPLE = join(import.meta.dir, "../sample/catalog.xml");
/** The environment of processes that share their tokens. */
export const SECRET = { COLOPHON_JWT_SECRET: "a secret of the tests, long enough to be one" };

/** Sends a GET request with a token. */
export function fetchAs(token: string | undefined, url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
}

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

/** The lines of an import that takes longer than 10 seconds, which depends on the machine. */
const PROGRESS = /^(\d+%, )?[\d,]+ products?(, [\d,]+\/s| read; ).*\n/gm;

/** Runs a command to its end. Settings in the environment of the tests do not reach it. */
export function colophon(args: readonly string[], options?: RunOptions): Promise<CommandResult> {
  return run([COMMAND, ...args], options);
}

/** As `colophon`, for a later version of the sources: its catalogs have format 2. */
export function nextColophon(args: readonly string[], options?: RunOptions): Promise<CommandResult> {
  const program = join(import.meta.dir, "../src/cli/main.ts");
  const nextFormat = join(import.meta.dir, "../src/stores/testing/next-format.preload.ts");
  return run([process.execPath, "--preload", nextFormat, program, ...args], options);
}

async function run(command: readonly string[], { cwd, env, stdin }: RunOptions = {}): Promise<CommandResult> {
  const result = await runProgram(command, {
    cwd: cwd ?? defaultFolder(),
    env: { ...environmentWithoutSettings(), ...env },
    ...(stdin !== undefined && { stdin: Buffer.from(stdin) }),
  });
  return { ...result, stderr: result.stderr.replaceAll(PROGRESS, "") };
}

interface ProgramOptions {
  readonly cwd?: string;
  /** That of the tests when it is omitted. */
  readonly env?: Record<string, string | undefined>;
  readonly stdin?: Uint8Array | Blob;
}

/** Runs any program to its end. */
export function runProgram(command: readonly string[], options: ProgramOptions = {}): Promise<CommandResult> {
  return resultOf(Bun.spawn([...command], { stdin: "ignore", ...options, stdout: "pipe", stderr: "pipe" }));
}

/** Waits for the end of a process. */
export async function resultOf(
  child: Pick<Bun.Subprocess<"ignore", "pipe", "pipe">, "stdout" | "stderr" | "exited">,
): Promise<CommandResult> {
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

export interface ServeProcess extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The text that announced the server. */
  readonly stdout: string;
  /** The admin server of `--admin-port`. */
  readonly adminUrl: string;
  /** Undefined unless `--sample` printed a token. */
  readonly token: string | undefined;
  readonly process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  /** Resolves with all of standard error when the process has ended. */
  readonly stderr: Promise<string>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number>;
}

/** On a busy machine, a search or a query can take longer than a client may wait. */
const PATIENCE = { COLOPHON_TEST_SEARCH_TIMEOUT_MS: "60000", COLOPHON_TEST_QUERY_TIMEOUT_MS: "60000" };

/** Starts `colophon serve` on a free port and waits until it has printed its URL. Throws if it ends before. */
export async function startColophon(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ServeProcess> {
  const child = Bun.spawn([COMMAND, "serve", "--port", "0", ...args], {
    cwd: defaultFolder(),
    env: { ...environmentWithoutSettings(), ...PATIENCE, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  // Both pipes are read all the time: a full pipe would block a server that logs much.
  const stderr = new Response(child.stderr).text();
  const stdout = await readAnnouncement(child.stdout, args.includes("--sample"));
  const url = /http:\S+(?=\/openapi\.html)/.exec(stdout)?.[0];
  if (!url) throw new Error(`colophon serve has ended: ${await stderr}`);
  const stop = async () => {
    child.kill("SIGTERM");
    return await child.exited;
  };
  return {
    url,
    port: Number(new URL(url).port),
    stdout,
    adminUrl: /http:\S+(?=\/metrics)/.exec(stdout)?.[0] ?? "",
    token: /\n(eyJ\S+)\n/.exec(stdout)?.[1],
    process: child,
    stderr,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

let sample: Promise<string> | undefined;

/** Starts `colophon serve --sample` on a copy of the sample catalog: filling one takes longer than all else of a start. */
export async function startWithSample(
  db: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<ServeProcess> {
  sample ??= fillSample();
  const folder = await sample;
  for (const name of readdirSync(folder)) {
    // The files with this name are about those beside them.
    if (!name.endsWith("-owner")) cpSync(join(folder, name), name.replace(/^sample\.db/, db));
  }
  return await startColophon(["--sample", "--db", db, ...args], env);
}

/** Returns a folder with the catalog `sample.db` and the files beside it. */
async function fillSample(): Promise<string> {
  const folder = temporaryFolder();
  const server = await startColophon(["--sample", "--db", join(folder, "sample.db"), "--log", "none"]);
  await server.stop();
  return folder;
}

/** Returns the text up to the URL, and the token if there is one. Goes on reading, so that the pipe stays empty. */
function readAnnouncement(
  stream: Bun.Subprocess<"ignore", "pipe", "pipe">["stdout"],
  hasToken: boolean,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  void (async () => {
    let text = "";
    let isComplete = false;
    for await (const part of stream.pipeThrough(new TextDecoderStream())) {
      if (isComplete) continue;
      text += part;
      isComplete = /openapi\.html\n/.test(text) && (!hasToken || /\neyJ\S+\n/.test(text));
      if (isComplete) resolve(text);
    }
    resolve(text);
  })();
  return promise;
}

/** Creates a folder that is deleted when this process has ended. */
export function temporaryFolder(): string {
  return createProcessFolder("test-");
}

// `npx` sets it, and messages depend on it.
delete process.env.npm_command;

function environmentWithoutSettings(): Record<string, string> {
  const others = Object.entries(process.env).filter(([name]) => !/^(COLOPHON_.*|PORT|HOST)$/.test(name));
  return { ...(Object.fromEntries(others) as Record<string, string>), ...(EXECUTABLE && { PATH: "" }) };
}

let emptyFolder: string | undefined;

function defaultFolder(): string {
  if (!EXECUTABLE) return process.cwd();
  emptyFolder ??= temporaryFolder();
  return emptyFolder;
}

/** Returns the processes that a process has started and that have not ended. Needs /proc. */
export function childProcesses(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // The name of the program is in parentheses, and may contain spaces.
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "");
        return Number(stat.split(" ")[1]) === parent;
      } catch {
        return false;
      }
    });
}
