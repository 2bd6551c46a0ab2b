/** A compaction that is killed, or that finds no space, leaves the catalog as it was; requests go on beside it. */
import { beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../../src/onix/testing/message.ts";
import { numberedIsbn } from "../during-tests.ts";
import { COMMAND, colophon, fetchAs, startColophon, temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";
import { canMount, mountTestDisk, SKIP_REASON } from "./test-disk.ts";
import { READER_PAUSE_MS } from "./two-state-catalog.ts";

/** Few and large: an import costs by the book, a compaction by the megabyte. */
const BOOKS = 400;
const ULIMIT_BLOCK_BYTES = 512;
/** What the command prints. */
const COMPACTED = expect.stringMatching(/^\d+ MB before, \d+ MB after\.\n$/);

let folder: ReturnType<typeof temporaryFolder>;
/** A catalog of which every second book was removed. */
let original: string;
let revision: string;

beforeAll(async () => {
  folder = temporaryFolder();
  original = join(folder, "original.db");
  const xml = Array.from({ length: BOOKS }, (_, number) =>
    product({ isbn: numberedIsbn(number), text: `<Text>${"x".repeat(15_000)}</Text>` }),
  );
  const feeds = [xml, xml.filter((_, index) => index % 2 === 0)].map((products, index) => {
    const path = join(folder, `${index}.xml`);
    writeFileSync(path, message(...products));
    return path;
  });
  expect((await colophon(["import", "--db", original, feeds[0]!])).code).toBe(0);
  expect((await colophon(["import", "--db", original, "--replace", feeds[1]!])).code).toBe(0);
  revision = await revisionOf(original);
});

async function revisionOf(db: string): Promise<string> {
  return JSON.parse((await colophon(["stats", "--json", "--db", db])).stdout).revision;
}

/** Copies the catalog into a folder of its own. */
function copyCatalog(into = join(folder, crypto.randomUUID())): string {
  mkdirSync(into, { recursive: true });
  const db = join(into, "catalog.db");
  copyFileSync(original, db);
  return db;
}

/** Expects that all records are there and intact, and that the catalog can be compacted now. */
async function expectUnchanged(db: string): Promise<void> {
  expect(await revisionOf(db)).toBe(revision);
  const { code, stdout } = await colophon(["verify", "--db", db]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${BOOKS / 2} records, all intact`)]);
}

test("kill -9 and SIGTERM at any moment of a compaction leave every record, and no temporary file", async () => {
  const rounds = repetitions(2, 40);
  const start = performance.now();
  expect((await colophon(["compact", "--db", copyCatalog()])).code).toBe(0);
  const compactMs = performance.now() - start;
  let killed = 0;
  for (let round = 0; round < rounds; round++) {
    const db = copyCatalog();
    const child = Bun.spawn([COMMAND, "compact", "--db", db], { stdout: "ignore", stderr: "ignore" });
    // The first one always ends before the compaction.
    await Bun.sleep((compactMs * round) / rounds);
    child.kill(round % 2 === 0 ? "SIGKILL" : "SIGTERM");
    if ((await child.exited) !== 0) killed++;
    await expectUnchanged(db);
    expect(readdirSync(join(db, "..")).filter((name) => /etilqs|unfinished|journal/.test(name))).toEqual([]);
    expect((await colophon(["compact", "--db", db])).code).toBe(0);
    expect(statSync(db).size).toBeLessThan(0.6 * statSync(original).size);
    rmSync(join(db, ".."), { recursive: true });
  }
  expect(killed).toBeGreaterThan(0);
  reportFault({
    fault: "kill -9 and SIGTERM at any moment of a compaction",
    tried: rounds,
    lost: "nothing",
    checked: `${killed} were killed before their end; revision as before; verify; no temporary file; the next compaction succeeds`,
  });
});

test("a limit on file sizes: the compaction fails or is killed, and the catalog is unchanged", async () => {
  const rounds = repetitions(1, 12);
  const compacted = copyCatalog();
  expect((await colophon(["compact", "--db", compacted])).code).toBe(0);
  const compactedBlocks = statSync(compacted).size / ULIMIT_BLOCK_BYTES;
  for (let round = 0; round < rounds; round++) {
    const db = copyCatalog();
    const blocks = 200 + Math.floor((round / rounds) * (compactedBlocks - 200));
    const script = `ulimit -f ${blocks}; exec "${COMMAND}" compact --db "${db}"`;
    const child = Bun.spawn(["sh", "-c", script], { stdout: "ignore", stderr: "pipe" });
    const stderr = await new Response(child.stderr).text();
    const code = await child.exited;
    expect(code).not.toBe(0);
    if (code === 1)
      expect(stderr).toMatch(
        /^colophon: .*catalog\.db cannot be compacted \(.*\); the catalog is unchanged\.\n$/,
      );
    await expectUnchanged(db);
    rmSync(join(db, ".."), { recursive: true });
  }
  reportFault({
    fault: "a limit on file sizes (ulimit -f) during a compaction",
    tried: rounds,
    lost: "nothing",
    checked: "exit not 0; revision as before; verify",
  });
});

test.skipIf(!canMount)(
  `a disk without space for a compaction: exit 1 that names the space, and the catalog is unchanged${SKIP_REASON}`,
  async () => {
    // The catalog has 22 MB. Half of it is written twice.
    using disk = mountTestDisk(folder, 64);
    const db = copyCatalog(disk.path);
    disk.fill(2_000_000);
    const { code, stderr } = await colophon(["compact", "--db", db]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /needs \d+ MB of free space .* and \d MB are free; the catalog is unchanged\. Free some/,
      ),
    ]);
    disk.empty();
    await expectUnchanged(db);
    expect(await colophon(["compact", "--db", db])).toMatchObject({ code: 0, stdout: COMPACTED });
    reportFault({
      fault: "a disk without space for a compaction",
      tried: 1,
      lost: "nothing",
      checked: "exit 1 that names the space; revision as before; verify; with space it succeeds",
    });
  },
  60_000,
);

test("requests beside a compaction get the same responses, without an error", async () => {
  const db = copyCatalog();
  const token = (await colophon(["token", "--name", "Any", "--db", db])).stdout.trim();
  const server = await startColophon(["--db", db, "--cache", "0", "--workers", "2"]);
  const get = async (path: string) => {
    const response = await fetchAs(token, `${server.url}${path}`);
    return `${response.status} ${Bun.hash(await response.text())}`;
  };
  const paths = [
    "/api/imprint/sello",
    "/api/skus",
    `/api/isbn/${numberedIsbn(0)}`,
    `/api/isbn/${numberedIsbn(1)}`,
  ];
  const expected = await Promise.all(paths.map(get));
  expect(expected.map((text) => text.slice(0, 3))).toEqual(["200", "200", "200", "404"]);
  let isOver = false;
  let requests = 0;
  const clients = paths.map(async (path, index) => {
    for (; !isOver; await Bun.sleep(READER_PAUSE_MS)) {
      expect(await get(path)).toBe(expected[index]!);
      requests++;
    }
  });
  const compaction = await colophon(["compact", "--db", db]);
  const requestsDuring = requests;
  isOver = true;
  await Promise.all(clients);
  expect(compaction).toMatchObject({ code: 0, stdout: COMPACTED });
  expect(await Promise.all(paths.map(get))).toEqual(expected);
  expect(requestsDuring).toBeGreaterThan(0);
  expect(await server.stop()).toBe(0);
  await expectUnchanged(db);
});
