/** Where a command writes and cannot: said in one line, and never more lost than it says. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identifier, message, product } from "../src/onix/testing/message.ts";
import { COMMAND, colophon, temporaryFolder } from "./process.ts";

setDefaultTimeout(60_000);

/** A disk that is always full; in CI it must be there. */
const FULL = "/dev/full";
const missing = !process.env.CI && !existsSync(FULL);

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
afterAll(() => folder.remove());

const ISBN = "9788437604947";
const noIsbn = (number: number) => product({ reference: `r${number}`, identifiers: identifier("01", "x") });
const records = async (db: string) =>
  JSON.parse((await colophon(["stats", "--json", "--db", db])).stdout).records;

describe("--report", () => {
  const feed = at("feed.xml");
  writeFileSync(feed, message(product({ isbn: ISBN })));

  test("in a folder that is not there: exit 1, and nothing is begun", async () => {
    const db = at("none.db");
    const { code, stdout, stderr } = await colophon([
      "import",
      "--db",
      db,
      "--report",
      at("no/r.json"),
      feed,
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^colophon: the report .*r\.json cannot be written \(ENOENT.*\); the catalog is unchanged\n$/,
    );
    expect(await records(db)).toBe(0);
  });

  test.skipIf(missing)(
    `on a full disk, halfway: exit 1, and the catalog is as it was (${FULL})`,
    async () => {
      const db = at("half.db");
      const many = at("many.xml");
      writeFileSync(
        many,
        message(product({ isbn: ISBN }), ...Array.from({ length: 1000 }, (_, n) => noIsbn(n))),
      );
      const { code, stdout, stderr } = await colophon(["import", "--db", db, "--report", FULL, many]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /\ncolophon: the report \/dev\/full cannot be written \(ENOSPC.*\); the catalog is unchanged\n$/,
      );
      expect(await records(db)).toBe(0);
    },
  );

  test.skipIf(missing)(`on a full disk, at the end: what is applied is said to be (${FULL})`, async () => {
    const db = at("end.db");
    const { code, stdout, stderr } = await colophon(["import", "--db", db, "--report", FULL, feed]);
    expect(code).toBe(0);
    expect(stdout).toStartWith("1 products: 1 added");
    expect(stderr).toMatch(/^colophon: the report \/dev\/full cannot be written \(ENOSPC.*applied.*\n$/);
    expect(await records(db)).toBe(1);
  });
});

describe("export", () => {
  const db = at("export.db");
  const exported = async (to: string) => {
    const child = Bun.spawn(["sh", "-c", `"$0" export --db "$1" ${to}`, COMMAND, db], { stderr: "pipe" });
    return { stderr: await new Response(child.stderr).text(), code: await child.exited };
  };

  test("to a reader who has seen enough: ends without a word", async () => {
    const feed = at("books.xml");
    const text = `<Text>${"x".repeat(100_000)}</Text>`;
    writeFileSync(
      feed,
      message(...Array.from({ length: 40 }, (_, n) => product({ isbn: `97884376049${10 + n}`, text }))),
    );
    expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
    expect((await exported("| head -c 10 >/dev/null")).stderr).toBe("");
  });

  test.skipIf(missing)(`to a full disk: exit 1, in one line (${FULL})`, async () => {
    const { code, stderr } = await exported(`> ${FULL}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^colophon: standard output cannot be written \(ENOSPC.*\n$/);
  });
});
