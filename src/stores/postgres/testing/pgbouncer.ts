/**
 * PgBouncer in front of a test server. COLOPHON_TEST_PGBOUNCER lists the programs to test, separated by colons. Default:
 * the one on the PATH or in /usr/sbin, where Debian installs it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "../../../lib/testing/free-port.ts";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import { giveToPostgres, responds, spawnAsPostgres } from "./server.ts";

export type PoolMode = "session" | "transaction" | "statement";

export interface PgBouncer extends AsyncDisposable {
  /** The URL of the same database through the pooler. */
  readonly url: string;
}

/** The programs to test. */
export const PGBOUNCERS: readonly string[] = process.env.COLOPHON_TEST_PGBOUNCER
  ? process.env.COLOPHON_TEST_PGBOUNCER.split(delimiter)
  : [Bun.which("pgbouncer", { PATH: `${process.env.PATH}${delimiter}/usr/sbin` }) ?? "pgbouncer"];

/** `poolSize` is the number of sessions on the server that all clients share. */
export async function startPgBouncer(
  program: string,
  databaseUrl: string,
  mode: PoolMode,
  poolSize: number,
  settings: Record<string, string> = {},
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-pgbouncer-"));
  const server = new URL(databaseUrl);
  const port = freePort();
  const lines = Object.entries({
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: mode,
    default_pool_size: String(poolSize),
    max_client_conn: "200",
    logfile: join(folder, "log"),
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const password = server.password && ` password=${decodeURIComponent(server.password)}`;
  const upstream = `host=${server.hostname} port=${server.port || 5432} user=${server.username}${password}`;
  await Bun.write(join(folder, "ini"), `[databases]\n* = ${upstream}\n[pgbouncer]\n${lines.join("\n")}\n`);
  await giveToPostgres(folder);
  // The shell reads from a pipe that closes when this process ends, however it ends. Then it stops PgBouncer.
  const script = `"$@" & pooler=$!; read line; kill -KILL $pooler; wait $pooler`;
  const command = ["sh", "-c", script, "sh", program, join(folder, "ini")];
  const child = spawnAsPostgres(command, "pipe", Bun.file(join(folder, "stderr")));
  const url = new URL(databaseUrl);
  [url.hostname, url.port] = ["127.0.0.1", String(port)];
  const stop = async () => {
    child.stdin?.end();
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  await waitFor("PgBouncer responds", () => responds(String(url))).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url: String(url), [Symbol.asyncDispose]: stop };
}
