/** The log in a file, rotated by the real logrotate with the configurations in examples/, or by hand. */
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { colophon } from "./in-process.ts";
import { childProcesses, type ServeProcess, startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");

/** Where the tests look for logrotate: /usr/sbin is not in the PATH of every user. */
const LOGROTATE =
  Bun.which("logrotate") ?? Bun.which("logrotate", { PATH: "/usr/sbin:/sbin" }) ?? "logrotate";
const isLogrotateMissing = isProgramMissing(LOGROTATE);

interface LoggedLine {
  readonly event: string;
  readonly id?: string;
}

function linesOf(path: string): LoggedLine[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line));
}

const idsOf = (path: string) => linesOf(path).flatMap(({ event, id }) => (event === "request" ? [id!] : []));

/** Sends requests with ids of their own, each on a connection of its own, so that all workers get some. */
async function request(server: ServeProcess, prefix: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  for (const id of ids) {
    await (
      await fetch(`${server.url}/openapi.json`, { headers: { "X-Request-Id": id, Connection: "close" } })
    ).bytes();
  }
  return ids;
}

/** Returns whether the service or one of its workers has the file open. Needs /proc. */
function hasOpen({ process: { pid } }: ServeProcess, path: string): boolean {
  return [pid, ...childProcesses(pid)].some((each) =>
    readdirSync(`/proc/${each}/fd`).some((fd) => linkTarget(`/proc/${each}/fd/${fd}`) === path),
  );
}

/** Returns undefined for a descriptor that was closed after it was listed. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function startWithLog(name: string, ...args: string[]): Promise<ServeProcess> {
  mkdirSync(join(folder, name));
  const log = ["--log-file", join(folder, name, "colophon.log")];
  return startColophon(["--create", "--db", db, ...log, ...args]);
}

/** Runs logrotate with a file of examples/. Only paths, the user and the way to the service are replaced. */
function rotate(example: string, log: string, pid: number): void {
  const user = Bun.spawnSync(["sh", "-c", 'echo "$(id -un) $(id -gn)"']).stdout.toString().trim();
  const original = readFileSync(join(import.meta.dir, "../examples", example), "utf8");
  const config = original
    .replaceAll("/var/log/colophon/colophon.log", log)
    .replace("su colophon colophon", `su ${user}`)
    .replace(/systemctl kill .*/, `kill -HUP ${pid}`);
  expect(config).not.toContain("/var/log");
  const file = join(folder, `${example}.test`);
  writeFileSync(file, config, { mode: 0o644 });
  const { exitCode, stderr } = Bun.spawnSync([LOGROTATE, "--force", "--state", `${file}.state`, file]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
}

describe.skipIf(isLogrotateMissing)("examples/ with logrotate (skipped where it is not installed)", () => {
  test("logrotate.conf loses no line while requests go on, with two workers", async () => {
    const server = await startWithLog("renamed", "--workers", "2");
    const log = join(folder, "renamed/colophon.log");
    const sent = await request(server, "before", 40);
    for (const round of [1, 2, 3]) {
      // logrotate leaves an empty file alone.
      await waitFor("a line is in the file", () => idsOf(log).length > 0);
      const during = request(server, `during-${round}`, 60);
      rotate("logrotate.conf", log, server.process.pid);
      sent.push(...(await during));
      // logrotate compresses the renamed file at the next rotation, when nobody writes to it any more.
      await waitFor("all processes have opened the new file", () => !hasOpen(server, `${log}.1`));
      sent.push(...(await request(server, `after-${round}`, 5)));
    }
    expect(await server.stop()).toBe(0);
    expect(await server.stderr).toBe("");
    // The oldest files are compressed.
    const files = readdirSync(join(folder, "renamed")).sort();
    expect(files).toEqual(["colophon.log", "colophon.log.1", "colophon.log.2.gz", "colophon.log.3.gz"]);
    for (const file of files.filter((name) => name.endsWith(".gz"))) {
      const path = join(folder, "renamed", file);
      writeFileSync(path.slice(0, -3), Bun.gunzipSync(readFileSync(path)));
    }
    const logged = ["", ".1", ".2", ".3"].flatMap((suffix) => idsOf(`${log}${suffix}`));
    expect(logged.sort()).toEqual(sent.sort());
    expect(linesOf(log).at(-1)!.event).toBe("stopped");
  });

  test("logrotate-copytruncate.conf leaves a file that the service goes on with", async () => {
    const server = await startWithLog("truncated");
    const log = join(folder, "truncated/colophon.log");
    const before = await request(server, "before", 20);
    // Lines between the copy and the truncation would be lost, so there are none.
    await waitFor("all lines are written", () => idsOf(log).length === before.length);
    rotate("logrotate-copytruncate.conf", log, server.process.pid);
    const after = await request(server, "after", 20);
    expect(await server.stop()).toBe(0);
    expect([idsOf(`${log}.1`), idsOf(log)]).toEqual([before, after]);
  });
});

describe("--log-file", () => {
  test("that cannot be opened again is named on standard error, and the service goes on", async () => {
    const server = await startWithLog("lost", "--workers", "2");
    const before = await request(server, "before", 5);
    const [lost, gone] = [join(folder, "lost"), join(folder, "gone")];
    renameSync(lost, gone);
    server.process.kill("SIGHUP");
    const after = await request(server, "after", 20);
    expect(await server.stop()).toBe(0);
    expect(await server.stderr).toMatch(
      /^colophon: the log file .*colophon\.log cannot be opened again \(ENOENT: .*\n$/,
    );
    expect(idsOf(join(gone, "colophon.log")).sort()).toEqual([...before, ...after].sort());
  });

  test.each([
    ["in a folder that does not exist", "no/colophon.log", "ENOENT"],
    ["that is a folder", ".", "EISDIR"],
  ])("%s is refused at the start, in one line", async (_, path, cause) => {
    const file = join(folder, path);
    const { code, stdout, stderr } = await colophon(["serve", "--db", db, "--log-file", file]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      new RegExp(`^colophon: the log file \\S+ cannot be opened \\(${cause}: [^\n]+--log-file\n$`),
    );
  });
});
