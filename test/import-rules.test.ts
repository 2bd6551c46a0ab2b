/** The flags of import and check that decide what an import may do, on the real program. */
import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { message, product } from "../src/onix/testing/message.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { colophon } from "./in-process.ts";
import { COMMAND, temporaryFolder } from "./process.ts";

const A = "9788437604947";
const B = "9780199632091";
const C = "9782070360024";

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);
const db = pathOf("catalog.db");

function writeFeed(name: string, xml: string): string {
  writeFileSync(pathOf(name), xml);
  return pathOf(name);
}

const sentOn = (day: string, xml: string) => xml.replace("20240101", day);
const empty = writeFeed("empty.xml", sentOn("20240601", message()));
const all = writeFeed("all.xml", message(...[A, B, C].map((isbn) => product({ isbn }))));

beforeAll(async () => {
  expect((await colophon(["import", "--db", db, all])).code).toBe(0);
});

const recordCount = async () =>
  JSON.parse((await colophon(["stats", "--json", "--db", db])).stdout).records as number;

describe("--replace", () => {
  test("is refused with exit 1 when more than half of the catalog would go", async () => {
    const { code, stdout, stderr } = await colophon(["import", "--db", db, "--replace", empty]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      "colophon: --replace would remove 3 of 3 records, more than half of the catalog. Check that the feeds are " +
        "complete, or allow it with --allow-removals. The catalog is unchanged.\n",
    );
    expect(await recordCount()).toBe(3);
  });

  test("of an archive with a hidden feed is refused, as its books would go; without --replace it has a warning", async () => {
    const [first, second] = [A, B].map((isbn) => Buffer.from(message(product({ isbn }))));
    const zip = pathOf("hidden.zip");
    writeFileSync(zip, zipSync({ "./a.xml": first!, ".b.xml": second! }));
    const refused = await colophon(["import", "--db", db, "--replace", zip]);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain(
      `${zip}/.b.xml: The file in the archive looks like a feed, but is hidden: it was skipped. --replace would ` +
        "remove its books. Rename it, so that no part of its path begins with a dot",
    );
    expect(await recordCount()).toBe(3);
    const taken = await colophon(["import", "--db", db, zip]);
    expect(taken.code).toBe(0);
    expect(taken.stderr).toContain(".b.xml");
    expect(await recordCount()).toBe(3);
  });

  test("of check shows what would go, lists all in the report, and exits as the import would", async () => {
    const report = pathOf("check.json");
    const { code, stdout, stderr } = await colophon([
      "check",
      "--db",
      db,
      "--replace",
      "--report",
      report,
      empty,
    ]);
    expect(code).toBe(1);
    expect(stdout).toStartWith("Checked, nothing written. 0 products; 3 other books removed. Revision ");
    expect(stderr).toContain(`--replace would remove 3 records: ${B}, ${C}, ${A}\n`);
    expect(stderr).toContain("colophon: the import would be refused: --replace would remove 3 of 3 records");
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      complaints: [],
      removed: [B, C, A],
      applied: false,
      products: 0,
      counts: { deleted: 3, removed: 3 },
      refused: expect.stringContaining("--allow-removals"),
    });
    const allowed = await colophon(["check", "--db", db, "--replace", "--allow-removals", empty]);
    expect(allowed.code).toBe(0);
    expect(await recordCount()).toBe(3);
  });

  test("removes everything with --allow-removals", async () => {
    const copy = pathOf("copy.db");
    await colophon(["import", "--db", copy, all]);
    const { code, stdout } = await colophon(["import", "--db", copy, "--replace", "--allow-removals", empty]);
    expect(code).toBe(0);
    expect(stdout).toStartWith("0 products; 3 other books removed. Revision 00000000");
  });

  test("is required by --allow-removals", async () => {
    const { code, stderr } = await colophon(["import", "--db", db, "--allow-removals", all]);
    expect(code).toBe(2);
    expect(stderr).toStartWith("colophon: --allow-removals needs --replace\n");
  });
});

describe("changes by other senders", () => {
  const wholesaler = (name: string, ...products: readonly string[]) =>
    writeFeed(name, message(...products).replace(">Test<", ">Wholesaler<"));
  const thin = wholesaler("thin.xml", ...[A, B, C].map((isbn) => product({ isbn, title: "Thin" })));
  const books = temporaryFolder();

  test("are kept from the catalog by --other-senders keep, or its variable, for import and check", async () => {
    for (const [command, options, env] of [
      ["import", ["--other-senders", "keep"], {}],
      ["import", [], { COLOPHON_OTHER_SENDERS: "keep" }],
      ["check", [], { COLOPHON_OTHER_SENDERS: "keep" }],
      ["check", ["--other-senders", "keep"], { COLOPHON_OTHER_SENDERS: "warn" }],
    ] as const) {
      const { code, stdout } = await colophon([command, "--db", db, ...options, thin], { env });
      expect([code, stdout]).toEqual([0, expect.stringContaining("3 products: 3 kept; ")]);
      expect(stdout).toContain(
        command === "check" ? "The catalog would not change." : "The catalog is unchanged.",
      );
    }
  });

  test("are in the output, the report and the history, by the pair of senders", async () => {
    const copy = join(books, "copy.db");
    const report = join(books, "report.json");
    await colophon(["import", "--db", copy, all]);
    await colophon([
      "import",
      "--db",
      copy,
      writeFeed("four.xml", message(product({ isbn: "9780306406157" }))),
    ]);
    const feed = wholesaler(
      "all-thin.xml",
      ...[A, B, C].map((isbn) => product({ isbn, title: "Thin" })),
      product({ isbn: "9780306406157", notification: "05", blocks: "" }),
    );
    const checked = await colophon(["check", "--db", copy, feed]);
    expect(checked.stdout).toContain('4  other-sender: "Test → Wholesaler"');
    const { code, stdout, stderr } = await colophon(["import", "--db", copy, "--report", report, feed]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("4 products: 3 updated (texts), 1 deleted; 4 warnings."),
    ]);
    expect(stderr).toContain(
      `[${A}, ref-${A}] The book belongs to "Test", and "Wholesaler" sends it. It was applied;`,
    );
    expect(stderr).toContain(
      "warning: … and 1 more of these two senders, 4 in all (--report lists them all)",
    );
    const { complaints } = JSON.parse(readFileSync(report, "utf8"));
    expect(complaints.map(({ kind }: { kind: string }) => kind)).toEqual(Array(4).fill("other-sender"));
    expect(complaints[3].text).toBe('The book belongs to "Test", and "Wholesaler" deletes it.');
    const history = await colophon(["history", "show", "3", "--db", copy]);
    expect(history.stdout).toContain(
      '4 × warning, other-sender: The book belongs to "Test", and "Wholesaler"',
    );
  });

  test("are kept from the catalog by watch with --other-senders keep", async () => {
    const feeds = join(books, "feeds");
    mkdirSync(feeds);
    copyFileSync(thin, join(feeds, "thin.xml"));
    const options = ["--once", "--settle", "0", "--other-senders", "keep"];
    const { stdout } = await colophon(["watch", feeds, "--db", db, ...options]);
    expect(stdout).toContain("1 feed: 0 changed the catalog, 1 changed nothing");
    const report = JSON.parse(readFileSync(join(feeds, "done", "thin.xml.report.json"), "utf8"));
    expect(report.counts).toMatchObject({ kept: 3, updated: 0 });
  });

  test("are applied silently with --take-over", async () => {
    const copy = join(books, "renamed.db");
    await colophon(["import", "--db", copy, all]);
    const options = ["--other-senders", "keep", "--take-over", "Test"];
    const { stdout, stderr } = await colophon(["import", "--db", copy, ...options, thin]);
    expect([stdout, stderr]).toEqual([
      expect.stringContaining("3 products: 3 updated (texts). Revision"),
      "",
    ]);
  });
});

describe("an older message", () => {
  const older = writeFeed("older.xml", sentOn("20231231", message(product({ isbn: A }))));

  test("is refused by --in-order with exit 1, for import and check", async () => {
    for (const command of ["import", "check"]) {
      const { code, stdout, stderr } = await colophon([command, "--db", db, "--in-order", older]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toBe(
        `colophon: ${older}: The message (of 20231231) is older than the last one of "Test" (of 20240101). ` +
          "Import feeds in the order in which they were sent, or omit --in-order. The catalog is unchanged.\n",
      );
    }
  });

  test("is imported with a warning without --in-order", async () => {
    const { code, stdout, stderr } = await colophon(["import", "--db", db, older]);
    expect(code).toBe(0);
    expect(stdout).toStartWith("1 product: 1 unchanged; 1 warning. ");
    expect(stderr).toContain("is older than the last one");
  });
});

test("the summary counts every product once", async () => {
  const feed = writeFeed(
    "mixed.xml",
    message(
      product({ isbn: A }),
      product({ isbn: A, title: "Twice" }),
      product({ isbn: B, notification: "88" }),
      product({ isbn: "9780306406157", notification: "05", blocks: "" }),
      product({ identifiers: "" }),
    ),
  );
  const { code, stdout } = await colophon(["check", "--db", db, feed]);
  expect(code).toBe(3);
  expect(stdout).toStartWith(
    "Checked, nothing written. 5 products: 1 updated (texts), 1 rejected, 1 repeated, 1 ignored, 1 test record; 20 warnings. ",
  );
});

describe("--keep-deletions", () => {
  const own = pathOf("deletions.db");
  const run = (...args: string[]) => colophon(["import", "--db", own, ...args]);
  const deletionCount = () => {
    using file = new Database(own);
    return file.prepare<{ count: number }, []>("SELECT count(*) AS count FROM deletion").get()!.count;
  };

  test("sets for how many days deletions are listed; without it 90", async () => {
    const deletion = writeFeed("deletion.xml", message(product({ isbn: A, notification: "05", blocks: "" })));
    expect([(await run(all)).code, (await run(deletion)).code]).toEqual([0, 0]);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    using file = new Database(own);
    file.run("UPDATE change_run SET at = ?", [daysAgo(80)]);
    expect([(await run(empty)).code, deletionCount()]).toEqual([0, 1]);
    expect([(await run("--keep-deletions", "81", empty)).code, deletionCount()]).toEqual([0, 1]);
    expect([(await run("--keep-deletions", "79", empty)).code, deletionCount()]).toEqual([0, 0]);
  });

  test.each(["0", "1.5", "36501"])("is refused with exit 2 for %p", async (days) => {
    const { code, stderr } = await run(`--keep-deletions=${days}`, all);
    expect([code, stderr]).toEqual([2, expect.stringContaining("from 1 to 36500")]);
  });
});

test("an import that waits for another one says so, and continues when that has ended", async () => {
  const db = pathOf("waiting.db");
  const feed = pathOf("waiting.xml");
  writeFileSync(feed, message(product({ isbn: "9788437604947" })));
  const store = openSqlite(db, { create: true });
  const other = await store.beginImport();
  const child = Bun.spawn([COMMAND, "import", "--db", db, feed], { stdout: "pipe", stderr: "pipe" });
  const { promise: firstLine, resolve } = Promise.withResolvers<string>();
  void (async () => {
    let text = "";
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes("\n")) resolve(text);
    }
    resolve(text);
  })();
  expect(await firstLine).toBe("Waiting: another import may be in progress…\n");
  await other.abort();
  await store.close();
  expect(await new Response(child.stdout).text()).toStartWith("1 product: 1 added");
  expect(await child.exited).toBe(0);
});
