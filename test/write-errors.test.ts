/** Output that cannot be written: the command says so in one line, and says what has happened to the catalog. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFileMissing } from "../src/lib/testing/requirements.ts";
import { identifier, message, product } from "../src/onix/testing/message.ts";
import { colophon } from "./in-process.ts";
import { COMMAND, runProgram, SAMPLE, temporaryFolder } from "./process.ts";

/** A device that is always full. */
const FULL_DEVICE = "/dev/full";
const isSkipped = isFileMissing(FULL_DEVICE);

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);

const ISBN = "9788437604947";
const productWithoutIsbn = (number: number) =>
  product({ reference: `r${number}`, identifiers: identifier("01", "x") });
const countRecords = async (db: string) =>
  JSON.parse((await colophon(["stats", "--json", "--db", db])).stdout).records;

describe("--report", () => {
  const feed = pathOf("feed.xml");
  writeFileSync(feed, message(product({ isbn: ISBN })));

  test("in a missing folder leads to exit 1 before anything is imported", async () => {
    const db = pathOf("none.db");
    const { code, stdout, stderr } = await colophon([
      "import",
      "--db",
      db,
      "--report",
      pathOf("no/r.json"),
      feed,
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^colophon: the report .*r\.json cannot be written \(ENOENT.*\); the catalog is unchanged: it needs a folder .*\n$/,
    );
    expect(await countRecords(db)).toBe(0);
  });

  test.skipIf(isSkipped)(
    `on a disk that becomes full leads to exit 1 and an unchanged catalog (skipped without ${FULL_DEVICE})`,
    async () => {
      const db = pathOf("half.db");
      const many = pathOf("many.xml");
      writeFileSync(
        many,
        message(product({ isbn: ISBN }), ...Array.from({ length: 1000 }, (_, n) => productWithoutIsbn(n))),
      );
      const { code, stdout, stderr } = await colophon(["import", "--db", db, "--report", FULL_DEVICE, many]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /\ncolophon: the report \/dev\/full cannot be written \(ENOSPC.*\); the catalog is unchanged: it needs a folder .*\n$/,
      );
      expect(await countRecords(db)).toBe(0);
    },
  );

  test.skipIf(isSkipped)(
    `on a disk that is full at the end leads to a warning, and the import is applied (skipped without ${FULL_DEVICE})`,
    async () => {
      const db = pathOf("end.db");
      const { code, stdout, stderr } = await colophon(["import", "--db", db, "--report", FULL_DEVICE, feed]);
      expect(code).toBe(0);
      expect(stdout).toStartWith("1 product: 1 added");
      expect(stderr).toMatch(/^colophon: the report \/dev\/full cannot be written \(ENOSPC.*applied.*\n$/);
      expect(await countRecords(db)).toBe(1);
    },
  );
});

describe("the files of --report and --html", () => {
  const feed = pathOf("kept.xml");
  const other = pathOf("other.xml");
  const db = pathOf("kept.db");
  const page = pathOf("page.html");
  const content = message(product({ isbn: ISBN }));
  const areKept = () => [feed, other].map((path) => readFileSync(path, "utf8") === content);

  test("are neither a feed nor the catalog, as a slip like --report *.xml has it, and replace earlier ones", async () => {
    for (const path of [feed, other]) writeFileSync(path, content);
    const report = pathOf("kept.json");
    const store = ["--db", db];
    expect((await colophon(["import", ...store, "--report", report, feed])).code).toBe(0);
    for (const slip of [
      ["import", ...store, "--report", feed, other],
      ["import", ...store, "--report", feed, feed],
      ["import", ...store, "--report", db, feed],
      ["check", ...store, "--report", feed, other],
      ["check", ...store, "--html", feed, other],
      ["check", ...store, "--html", db, other],
    ]) {
      const { code, stderr } = await colophon(slip);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("file of another kind, which is not overwritten"),
      ]);
    }
    expect([...areKept(), await countRecords(db)]).toEqual([true, true, 1]);
    for (const _ of ["new", "replaced"]) {
      expect((await colophon(["check", ...store, "--report", report, "--html", page, feed])).code).toBe(0);
    }
  });
});

test("the report of an import that cannot begin is not that of the one before", async () => {
  const feed = pathOf("begun.xml");
  const report = pathOf("begun.json");
  writeFileSync(feed, message(product({ isbn: ISBN })));
  for (const [db, feeds] of [
    [pathOf("begun.db"), pathOf("missing.xml")],
    [folder, feed],
  ] as const) {
    expect((await colophon(["import", "--db", pathOf("begun.db"), "--report", report, feed])).code).toBe(0);
    expect((await colophon(["import", "--db", db, "--report", report, feeds])).code).toBe(1);
    const { applied, refused } = JSON.parse(readFileSync(report, "utf8"));
    expect([applied, typeof refused]).toEqual([false, "string"]);
  }
});

describe("export", () => {
  const db = pathOf("export.db");
  const exportTo = (to: string) => runProgram(["sh", "-c", `"$0" export --db "$1" ${to}`, COMMAND, db]);

  test("to a reader that closes the pipe ends without a message", async () => {
    const feed = pathOf("books.xml");
    const text = `<Text>${"x".repeat(100_000)}</Text>`;
    writeFileSync(
      feed,
      message(...Array.from({ length: 40 }, (_, n) => product({ isbn: `97884376049${10 + n}`, text }))),
    );
    expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
    expect((await exportTo("| head -c 10 >/dev/null")).stderr).toBe("");
  });

  test.skipIf(isSkipped)(
    `to a full disk exits with 1 and one line (skipped without ${FULL_DEVICE})`,
    async () => {
      const { code, stderr } = await exportTo(`> ${FULL_DEVICE}`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^colophon: standard output cannot be written \(ENOSPC.*\n$/);
    },
  );
});

test.skipIf(isSkipped)(
  `a result that a full disk does not take leads to exit 1, a token above all (skipped without ${FULL_DEVICE})`,
  async () => {
    const db = pathOf("results.db");
    expect((await colophon(["init", "--db", db])).code).toBe(0);
    for (const command of [
      "token --name Shop",
      "token list",
      "stats",
      "history --json",
      "verify",
      'check "$2"',
    ]) {
      const line = `"$0" ${command} --db "$1" > ${FULL_DEVICE}`;
      const { code, stderr } = await runProgram(["sh", "-c", line, COMMAND, db, SAMPLE]);
      expect([command, code, stderr]).toEqual([
        command,
        1,
        expect.stringMatching(/^colophon: standard output cannot be written \(ENOSPC.*\n$/),
      ]);
    }
  },
);
