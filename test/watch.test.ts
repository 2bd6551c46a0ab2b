/** `colophon watch` and `serve --watch`, as operators and senders use them. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { feedXml, ISBN } from "../src/ingest/watch/testing/feeds.ts";
import { isMissing, isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { colophon as inProcess } from "./in-process.ts";
import {
  COMMAND,
  childProcesses,
  colophon,
  fetchAs,
  resultOf,
  runProgram,
  startColophon,
  temporaryFolder,
} from "./process.ts";

const temp = temporaryFolder();

let folder: string;
let feeds: string;
let db: string;
let watchers: Bun.Subprocess<"ignore", "pipe", "pipe">[];
beforeEach(async () => {
  folder = mkdtempSync(join(temp, "watch-"));
  feeds = join(folder, "feeds");
  db = join(folder, "catalog.db");
  mkdirSync(feeds);
  await openSqlite(db, { create: true }).close();
  watchers = [];
});
afterEach(async () => {
  for (const watcher of watchers) {
    watcher.kill("SIGKILL");
    await watcher.exited;
  }
});

const put = (name: string, content = feedXml()) => writeFileSync(join(feeds, name), content);
const isDone = (name: string) => existsSync(join(feeds, "done", name));
const isRefused = (name: string) => existsSync(join(feeds, "refused", name));

/** Starts a watcher that takes files at once, unless the arguments say otherwise. */
function startWatch(...args: string[]) {
  const child = Bun.spawn([COMMAND, "watch", feeds, "--db", db, "--settle", "0", ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  watchers.push(child);
  return child;
}

async function stop(child: Bun.Subprocess<"ignore", "pipe", "pipe">) {
  child.kill("SIGTERM");
  const { code, stderr } = await resultOf(child);
  const lines = stderr.trim().split("\n");
  return { code, events: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

/** Returns the options of the JavaScript engine that a process was started with. */
function engineOptions(pid: number): string[] {
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return variables.filter((variable) => variable.startsWith("BUN_JSC_")).sort();
}

const IMPORT_OPTIONS = [
  "BUN_JSC_forceRAMSize=402653184",
  "BUN_JSC_thresholdForFTLOptimizeAfterWarmUp=400000",
];

describe("colophon watch", () => {
  test("runs with the engine options of imports, under the process id that it was started with", async () => {
    put("1.xml");
    const child = startWatch();
    await waitFor("the feed is taken", () => isDone("1.xml"));
    expect(engineOptions(child.pid)).toEqual(IMPORT_OPTIONS);
  });

  test("takes what is there and what arrives, logs it, and stops on SIGTERM", async () => {
    put("1.xml");
    put("half.xml.part", feedXml({ title: "Second", sent: "20240102" }));
    const child = startWatch();
    await waitFor("the first feed is taken", () => isDone("1.xml"));
    renameSync(join(feeds, "half.xml.part"), join(feeds, "2.xml"));
    put("3.xml", "<x");
    await waitFor("the others are taken", () => isDone("2.xml") && isRefused("3.xml"));
    const { code, events } = await stop(child);
    expect(code).toBe(0);
    expect(events.map(({ event, outcome, state, feed }) => [event, outcome ?? state, feed])).toEqual(
      expect.arrayContaining([
        ["watch", "watched", undefined],
        ["feed", "changed", "1.xml"],
        ["feed", "changed", "2.xml"],
        ["feed", "refused", "3.xml"],
        ["watch", "left", undefined],
      ]),
    );
    expect(readFileSync(join(feeds, "refused/3.xml.report.json"), "utf8")).toContain('"applied": false');
    expect(readdirSync(feeds).sort()).toEqual([".colophon-watch", "done", "refused"]);
  });

  test("does not take feeds of a folder that another watcher has, which ends with its lock", async () => {
    const first = startWatch();
    await waitFor("the folder is locked", () => existsSync(join(feeds, ".colophon-watch-wal")));
    put("a.xml");
    await waitFor("the feed is taken", () => isDone("a.xml"));
    const second = await colophon(["watch", feeds, "--db", db, "--once"]);
    expect([second.code, second.stderr]).toEqual([
      1,
      `colophon: ${feeds} is watched by another Colophon; end that one, or name another folder.\n`,
    ]);
    first.kill("SIGKILL");
    await first.exited;
    put("b.xml");
    expect((await colophon(["watch", feeds, "--db", db, "--once", "--settle", "0"])).code).toBe(0);
    expect(isDone("b.xml")).toBe(true);
  });

  test("waits for an import of another process, and leaves the feed where it is meanwhile", async () => {
    const store = openSqlite(db);
    const other = await store.beginImport();
    put("a.xml");
    const child = startWatch();
    const stderr = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    let log = "";
    while (!log.includes('"state":"waiting"')) log += (await stderr.read()).value;
    expect(existsSync(join(feeds, "a.xml"))).toBe(true);
    await other.abort();
    await store.close();
    await waitFor("the feed is taken", () => isDone("a.xml"));
  });
});

describe("colophon watch --once", () => {
  const once = (...args: string[]) => inProcess(["watch", feeds, "--db", db, "--once", ...args]);

  test.each([
    [3, "1 feed: 1 changed the catalog, 0", { "a.xml": withRejectedProduct() }],
    [
      1,
      "2 feeds: 1 changed the catalog, 0 changed nothing, 1 refused.\n",
      { "a.xml": feedXml(), "b.xml": "<x" },
    ],
  ])("exits with %i and prints %p", async (code, text, contents) => {
    for (const [name, content] of Object.entries(contents)) put(name, content);
    const result = await once("--settle", "0");
    expect([result.code, result.stdout]).toEqual([code, expect.stringContaining(text)]);
  });

  test("exits with 1 when a file was skipped because its name is not UTF-8", async () => {
    put("a.xml");
    writeFileSync(
      Buffer.concat([Buffer.from(`${feeds}/espa`), Buffer.from([0xf1]), Buffer.from("a.xml")]),
      "x",
    );
    const { code, stdout } = await once("--settle", "0");
    expect([code, stdout]).toEqual([1, expect.stringContaining("1 not imported, see standard error")]);
  });

  test("takes a file only after it has been still for the time, with settings of the environment", async () => {
    put("a.xml");
    const startMs = performance.now();
    const env = { COLOPHON_WATCH: feeds, COLOPHON_DB: db, COLOPHON_SETTLE: "1" };
    const { code, stdout } = await inProcess(["watch", "--once"], { env });
    expect([code, stdout]).toEqual([0, "1 feed: 1 changed the catalog, 0 changed nothing, 0 refused.\n"]);
    expect([isDone("a.xml"), performance.now() - startMs > 1000]).toEqual([true, true]);
  });

  test.each([
    ["a missing folder", "does not exist; create it, or name another"],
    ["a file", "is not a folder; name the folder that the feeds are in."],
  ])("exits with 1 and one line for %s", async (name, message) => {
    rmSync(feeds, { recursive: true });
    if (name === "a file") writeFileSync(feeds, "x");
    const { code, stdout, stderr } = await once();
    expect([code, stdout, stderr.trim().split("\n").length]).toEqual([1, "", 1]);
    expect(stderr).toContain(`colophon: ${feeds} ${message}`);
  });

  test("leaves the feeds where they are when the store cannot be written", async () => {
    put("a.xml");
    rmSync(db);
    mkdirSync(db);
    const { code, stderr } = await once("--settle", "0");
    expect([code, existsSync(join(feeds, "a.xml")), isRefused("a.xml")]).toEqual([1, true, false]);
    expect(stderr).toContain('"state":"blocked"');
  });

  test.each([
    [["watch"], "no folder given: name the folder that the feeds arrive in"],
    [["serve", "--settle", "3"], "--settle needs --watch"],
  ])("%j is wrong usage", async (args, message) => {
    const { code, stderr } = await inProcess(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

function withRejectedProduct(): string {
  const rejected = feedXml({ isbn: "12" }).match(/<Product>.*<\/Product>/s)![0];
  return feedXml().replace("</ONIXMessage>", `${rejected}</ONIXMessage>`);
}

/** Root may do everything, so the program runs as another user, who must be able to read it. */
const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
const cannotChangeUser =
  isMissing(process.getuid?.() === 0) ||
  isProgramMissing("setpriv") ||
  isMissing(Bun.spawnSync([...AS_NOBODY, COMMAND, "--version"]).exitCode === 0);

describe.skipIf(cannotChangeUser)("a user with few rights (skipped without root or setpriv)", () => {
  async function watchAsNobody() {
    chmodSync(temp, 0o755);
    chmodSync(folder, 0o777);
    for (const name of readdirSync(folder).filter((each) => each.startsWith("catalog.db"))) {
      chownSync(join(folder, name), NOBODY, NOBODY);
    }
    const { code, stderr } = await runProgram(
      [...AS_NOBODY, COMMAND, "watch", feeds, "--db", db, "--once", "--settle", "0"],
      { env: { ...process.env, HOME: tmpdir() } },
    );
    return { code, stderr: stderr.trim() };
  }

  test("is told to get the right to write a folder", async () => {
    chmodSync(feeds, 0o755);
    const { code, stderr } = await watchAsNobody();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^colophon: .*feeds cannot be used \(.*\); give the user who runs this the right to read and write it\.$/,
      ),
    ]);
  });

  test("is told about a feed that cannot be read, and other feeds are taken", async () => {
    chmodSync(feeds, 0o777);
    put("secret.xml");
    put("b.xml", feedXml({ sender: "B" }));
    chmodSync(join(feeds, "secret.xml"), 0o600);
    const { code, stderr } = await watchAsNobody();
    expect([code, isDone("b.xml"), existsSync(join(feeds, "secret.xml"))]).toEqual([1, true, true]);
    expect(stderr).toContain("give the user who runs this the right to read it.");
  });

  test("does not import a feed twice that cannot be moved", async () => {
    put("a.xml");
    for (const name of ["done", "refused"]) {
      mkdirSync(join(feeds, name));
      chownSync(join(feeds, name), NOBODY, NOBODY);
    }
    // With the sticky bit, only the owner of a file may rename it.
    chmodSync(feeds, 0o1777);
    const imports = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const { code, stderr } = await watchAsNobody();
      expect([code, existsSync(join(feeds, "a.xml"))]).toEqual([1, true]);
      expect(stderr).toContain("to write, rename and delete in");
      const store = openSqlite(db);
      imports.add((await store.stats()).lastImport!.ended);
      await store.close();
    }
    expect(imports.size).toBe(1);
    chmodSync(feeds, 0o777);
    expect((await watchAsNobody()).code).toBe(0);
    expect(isDone("a.xml")).toBe(true);
  });
});

describe("serve --watch", () => {
  test("imports beside the requests, restarts the process that watches, and ends with it", async () => {
    const token = (await inProcess(["token", "--name", "Test", "--db", db])).stdout.trim();
    const hooks = join(folder, "hooks.txt");
    const onImport = `echo "$COLOPHON_OUTCOME$COLOPHON_WATCH_PROCESS" >> ${hooks}`;
    const options = ["--watch", feeds, "--settle", "0", "--on-import", onImport, "--admin-port", "0"];
    const server = await startColophon(["--db", db, "--workers", "2", "--log", "errors", ...options]);
    const metrics = async () => await (await fetch(`${server.adminUrl}/metrics`)).text();
    put("a.xml", feedXml({ title: "Served" }));
    await waitFor("the feed is counted", async () =>
      (await metrics()).includes('colophon_watch_feeds_total{outcome="changed"} 1'),
    );
    const response = await fetchAs(token, `${server.url}/api/isbn/${ISBN}`);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"Served"')]);
    const [first] = watchProcesses(server.process.pid);
    expect([engineOptions(first!), engineOptions(server.process.pid)]).toEqual([IMPORT_OPTIONS, []]);
    process.kill(first!, "SIGKILL");
    put("b.xml", "<x");
    await waitFor("another process takes the next feed", () => isRefused("b.xml"));
    // A command that was not known to have ended when its process was killed is run again.
    await waitFor("the hooks have run", () => /^(changed\n)+refused\n$/.test(readFileSync(hooks, "utf8")));
    await waitFor("the refusal is counted", async () =>
      (await metrics()).includes('colophon_watch_feeds_total{outcome="refused"} 1'),
    );
    expect(await metrics()).toContain("colophon_watch_up 1");
    const [second] = watchProcesses(server.process.pid);
    expect(await server.stop()).toBe(0);
    expect(existsSync(`/proc/${second}`)).toBe(false);
    expect(await server.stderr).toContain('"event":"watch","state":"died"');
  });

  /** Blocks the event loop of the watcher on SIGUSR2, but not that of its replacement. */
  function blockOnSignal(): Record<string, string> {
    const preload = join(folder, "block.ts");
    writeFileSync(
      preload,
      `import { existsSync, writeFileSync } from "node:fs";
      const marker = ${JSON.stringify(join(folder, "blocked"))};
      if (process.env.COLOPHON_WATCH_PROCESS && !existsSync(marker)) process.on("SIGUSR2", () => {
        writeFileSync(marker, "");
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      });`,
    );
    return { BUN_OPTIONS: `--preload=${preload}` };
  }

  test.each([
    ["is stopped", "SIGSTOP", () => ({})],
    ["hangs", "SIGUSR2", blockOnSignal],
  ] as const)(
    "shows that the process that watches %s, counts feeds meanwhile, and replaces it",
    async (...[, signal, env]) => {
      // Feeds that are not settled stay, so that they can be counted at any time.
      const args = ["--db", db, "--log", "errors", "--watch", feeds, "--settle", "3600"];
      await using server = await startColophon([...args, "--admin-port", "0"], env());
      const metric = async (name: string) => {
        const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
        return Number(new RegExp(`^colophon_watch_${name} (.*)$`, "m").exec(text)?.[1]);
      };
      await waitFor("the folder is watched", async () => (await metric("up")) === 1);
      const [first] = watchProcesses(server.process.pid);
      process.kill(first!, signal);
      for (let number = 1; number <= 3; number++) put(`${number}.xml`, feedXml({ sent: `2024010${number}` }));
      await Promise.all([
        waitFor("the watcher is not up", async () => (await metric("up")) === 0),
        waitFor("the feeds are counted", async () => (await metric("waiting_feeds")) === 3),
      ]);
      const age = await metric("oldest_feed_seconds");
      await waitFor("the age grows", async () => (await metric("oldest_feed_seconds")) > age);
      await waitFor("the watcher is up", async () => (await metric("up")) === 1);
      expect(existsSync(`/proc/${first}`)).toBe(false);
      await server.stop();
      const log = await server.stderr;
      expect(log).toContain('"state":"silent"');
      expect(log).toMatch(/"state":"died".*signal SIGKILL: it had not responded for 1\d s"/);
    },
  );

  test("ends the process that watches when it is killed", async () => {
    const server = await startColophon(["--db", db, "--log", "none", "--watch", feeds]);
    await waitFor("the folder is watched", () => existsSync(join(feeds, ".colophon-watch-wal")));
    const [child] = watchProcesses(server.process.pid);
    server.process.kill("SIGKILL");
    await waitFor("the process has ended", () => !existsSync(`/proc/${child}`));
  });

  test("does not start on a folder whose files are not all feeds: the catalog, the log or backups", async () => {
    const link = join(temp, "link-to-folder");
    rmSync(link, { force: true });
    symlinkSync(folder, link);
    for (const args of [
      ["watch", folder, "--once", "--settle", "0"],
      ["watch", link, "--once", "--settle", "0"],
      ["watch", dirname(folder), "--once", "--settle", "0"],
      ["serve", "--port", "0", "--watch", folder],
      ["serve", "--port", "0", "--watch", feeds, "--log-file", join(feeds, "colophon.log")],
      ["serve", "--port", "0", "--watch", feeds, "--admin-port", "1", "--backups", join(feeds, "backups")],
    ]) {
      const { code, stderr } = await inProcess([...args, "--db", db]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("watch a folder that has only feeds")]);
    }
    expect(readdirSync(folder).sort()).toEqual(["catalog.db", "catalog.db-owner", "feeds"]);
  });

  test("exits with 1 for a missing folder", async () => {
    const missing = join(folder, "missing");
    const { code, stderr } = await colophon(["serve", "--db", db, "--port", "0", "--watch", missing]);
    expect([code, stderr]).toEqual([
      1,
      `colophon: ${missing} does not exist; create it, or name another folder.\n`,
    ]);
  });
});

/** Returns the ids of the children of a process that watch. Workers have the same program, but no such variable. */
function watchProcesses(parent: number): number[] {
  const isWatching = (pid: number) =>
    readFileSync(`/proc/${pid}/environ`, "utf8").includes("COLOPHON_WATCH_PROCESS=");
  return childProcesses(parent).filter((pid) => {
    try {
      return isWatching(pid);
    } catch {
      // It has ended.
      return false;
    }
  });
}
