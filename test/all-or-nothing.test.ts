/** An import that is cut off at any moment leaves the catalog as it was, and readers never see a mix. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { random } from "../bench/import/feed.ts";
import { message, product } from "./feed.ts";
import { colophon, type Serving, serving, temporaryFolder } from "./process.ts";

const COMMAND = join(import.meta.dir, "../bin/colophon");
const BOOKS = 4000;
const folder = temporaryFolder();
const db = join(folder.path, "catalog.db");
const feeds = ["one", "two"].map((title) => join(folder.path, `${title}.xml`));
let server: Serving;
/** The revisions of the two states that there can be. */
const states: string[] = [];

beforeAll(async () => {
  feeds.forEach((path, at) => {
    const books = Array.from({ length: BOOKS }, (_, number) =>
      product({
        isbn: isbnOf(number),
        title: `State ${at}`,
        imprint: "Sello",
        text: `<Text>${"x".repeat(800)}</Text>`,
      }),
    );
    writeFileSync(path, message(...books));
  });
  for (const path of [feeds[1]!, feeds[0]!]) {
    await colophon(["import", "--db", db, path]);
    states.unshift(await revision());
  }
  server = await serving(["--sample", "--db", db]);
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

function isbnOf(number: number): string {
  const core = `97912${String(number).padStart(7, "0")}`;
  const sum = [...core].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return core + ((10 - (sum % 10)) % 10);
}

async function revision(): Promise<string> {
  return JSON.parse((await colophon(["stats", "--json", "--db", db])).stdout).revision;
}

/** All titles that a reader of the whole imprint sees. */
async function seen(): Promise<{ titles: Set<string>; books: number }> {
  const response = await fetch(`${server.url}/api/imprint/sello`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  const records = (await response.json()) as {
    DescriptiveDetail: { TitleDetail: { TitleElement: { TitleText: string } } };
  }[];
  const titles = new Set(
    records.map((record) => record.DescriptiveDetail.TitleDetail.TitleElement.TitleText),
  );
  return { titles, books: records.length };
}

test("kill -9 at random moments, with readers on: before or after, never a mix, never a loss", async () => {
  const pick = random(7);
  let [cut, whole] = [0, 0];
  for (let round = 0; round < 12; round++) {
    const now = states.indexOf(await revision());
    expect(now).toBeGreaterThanOrEqual(0);
    const child = Bun.spawn([COMMAND, "import", "--db", db, feeds[1 - now]!], {
      stdout: "ignore",
      stderr: "ignore",
    });
    const moment = 50 + pick(900);
    const end = performance.now() + moment;
    while (performance.now() < end && child.exitCode === null) {
      const { titles, books } = await seen();
      expect([titles.size, books]).toEqual([1, BOOKS]);
    }
    child.kill("SIGKILL");
    const code = await child.exited;
    const after = states.indexOf(await revision());
    expect(after).toBeGreaterThanOrEqual(0);
    // Exit 0 is a promise.
    if (code === 0) expect(after).toBe(1 - now);
    if (after === now) cut++;
    else whole++;
    const { titles, books } = await seen();
    expect([[...titles], books]).toEqual([[`State ${after}`], BOOKS]);
  }
  expect(cut).toBeGreaterThan(0);
  expect(cut + whole).toBe(12);
}, 120_000);

test("the first import of a catalog, cut off, leaves an empty one", async () => {
  for (const moment of [150, 300, 450]) {
    const path = join(folder.path, `first-${moment}.db`);
    const child = Bun.spawn([COMMAND, "import", "--db", path, feeds[0]!], {
      stdout: "ignore",
      stderr: "ignore",
    });
    await Bun.sleep(moment);
    child.kill("SIGKILL");
    const isDone = (await child.exited) === 0;
    const { code, stdout } = await colophon(["import", "--db", path, feeds[1]!]);
    expect(code).toBe(0);
    expect(stdout).toContain(isDone ? `${BOOKS / 1000},000 updated` : `${BOOKS / 1000},000 added`);
  }
}, 120_000);

test("a limit on the size of files: refused or killed, and the catalog is as it was", async () => {
  const before = await revision();
  const other = feeds[1 - states.indexOf(before)]!;
  const child = Bun.spawn(["sh", "-c", `ulimit -f 6000; exec "${COMMAND}" import --db "${db}" "${other}"`], {
    stdout: "ignore",
    stderr: "ignore",
  });
  expect(await child.exited).not.toBe(0);
  expect(await revision()).toBe(before);
  expect((await seen()).books).toBe(BOOKS);
}, 60_000);

const canMount = process.getuid?.() === 0 && process.platform === "linux";
test.skipIf(!canMount)(
  "a full disk: exit 1, said so, and the catalog is as it was (skipped unless root on Linux)",
  async () => {
    const disk = join(folder.path, "disk");
    mkdirSync(disk);
    const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=5m", "tmpfs", disk]).exitCode === 0;
    // A container may not let us: then there is no disk to fill.
    if (!mounted) return expect(process.env.CI).toBeUndefined();
    try {
      const path = join(disk, "catalog.db");
      const small = join(folder.path, "small.xml");
      writeFileSync(
        small,
        message(
          ...Array.from({ length: 50 }, (_, number) => product({ isbn: isbnOf(number), title: "Small" })),
        ),
      );
      expect((await colophon(["import", "--db", path, small])).code).toBe(0);
      const before = (await colophon(["stats", "--db", path])).stdout;
      const { code, stderr } = await colophon(["import", "--db", path, feeds[0]!], {
        env: { TMPDIR: disk, SQLITE_TMPDIR: disk },
      });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^colophon: the catalog cannot be written \(.*full.*\); it is as it was\n$/);
      expect((await colophon(["stats", "--db", path])).stdout).toBe(before);
      expect(existsSync(path) && statSync(path).size > 0).toBe(true);
    } finally {
      Bun.spawnSync(["umount", disk]);
    }
  },
  60_000,
);
