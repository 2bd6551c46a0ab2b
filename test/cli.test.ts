/** The commands as an operator runs them. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { decodeJwt } from "jose";
import packageJson from "../package.json" with { type: "json" };
import { themaFile } from "../src/catalog/subjects/testing/thema.ts";
import { identifier, message, product } from "../src/onix/testing/message.ts";
import { colophon as inProcess } from "./in-process.ts";
import { COMMAND, colophon, fetchAs, runProgram, startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);

function writeFile(name: string, content: string | Uint8Array): string {
  writeFileSync(pathOf(name), content);
  return pathOf(name);
}

const A = "9788437604947";
const B = "9780199632091";

describe("usage", () => {
  const COMMANDS = "serve health import check export stats verify backup compact migrate token".split(" ");

  test("--version and --help", async () => {
    expect((await colophon(["--version"])).stdout.trim()).toBe(`${packageJson.version} (Bun ${Bun.version})`);
    const help = await colophon(["--help"]);
    expect(help.code).toBe(0);
    for (const command of COMMANDS) expect(help.stdout).toContain(`colophon ${command} `);
    expect(await colophon(["-h"])).toEqual(help);
  });

  test("an error is followed by the usage of its command only, with exit 2", async () => {
    const { code, stderr } = await colophon(["import", "--no-such"]);
    expect(code).toBe(2);
    expect(stderr).toStartWith("colophon: Unknown option '--no-such'\n\n  colophon import ");
    for (const command of COMMANDS.filter((name) => name !== "import"))
      expect(stderr).not.toContain(`colophon ${command} `);
  });

  const INVALID: string[][] = [
    [],
    ["nonsense"],
    ["toString"],
    ["serve", "--port", "70000"],
    ["serve", "--port", "x"],
    ["serve", "extra"],
    ["serve", "--host", ""],
    ["serve", "--admin-host", "127.0.0.1"],
    ["serve", "--admin-port", "x"],
    ["serve", "--drain", "5s"],
    ["serve", "--log", "all"],
    ["serve", "--rate", "600"],
    ["import"],
    ["import", "-", "-"],
    ["export", "--format", "pdf"],
    ["export", "--format", "csv", "--view", "record"],
    ["export", "--format", "xml", "--view", "summary"],
    ["export", "--short-tags"],
    ["export", "--isbn", "1"],
    ["export", "--from", "20230229"],
    ["export", "--language", "es"],
    ["backup"],
    ["subjects"],
    ["subjects", "thema.json"],
    ["token"],
    ["token", "--name", " "],
    ["token", "--name", "x", "--days", "0"],
    ["token", "--name", "x", "--days", "3651"],
    ["token", "revoke"],
  ];
  for (const args of INVALID) {
    test(`"colophon ${args.join(" ")}" exits with 2 and prints nothing to standard output`, async () => {
      const { code, stdout, stderr } = await inProcess(args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toStartWith("colophon: ");
      // The message stays in sight on a small terminal.
      expect(stderr.split("\n").length).toBeLessThan(16);
      // The value of an option is wrong.
      if (args[0] === "serve" && args[1]?.startsWith("--")) expect(stderr.split("\n")[0]).toContain(args[1]);
    });
  }
});

test("subjects loads the words of Thema by language, and refuses another file by its defect", async () => {
  const db = pathOf("subjects.db");
  await inProcess(["init", "--db", db]);
  const english = writeFile("Thema_en.json", themaFile("eng"));
  const loaded = await inProcess(["subjects", "--db", db, english]);
  expect([loaded.code, loaded.stdout]).toEqual([0, `${english}: 9 subjects in English\n`]);
  const wrong = writeFile("Thema_es.json", "{}");
  const refused = await inProcess(["subjects", "--db", db, english, wrong]);
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain(`${wrong} cannot be loaded: it has no CodeList.ThemaCodes.Code`);
});

describe("import", () => {
  const db = pathOf("import.db");
  const two = writeFile("two.xml", message(product({ isbn: A }), product({ isbn: B })));

  test("prints a summary to standard output and exits with 0", async () => {
    const { code, stdout } = await colophon(["import", "--db", db, two]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 products: 2 added\. Revision [0-9a-f]{32}\.\n$/);
  });

  test("reports that a repeated import changed nothing", async () => {
    const { code, stdout } = await colophon(["import", "--db", db, two]);
    expect([code, stdout]).toEqual([0, "2 products: 2 unchanged. The catalog is unchanged.\n"]);
  });

  test("creates the same catalog from plain, gzip, zip and standard input", async () => {
    const revisions: unknown[] = [];
    const sources: [string, string[], Uint8Array | undefined][] = [
      ["plain.db", [two], undefined],
      ["gzip.db", [writeFile("two.xml.gz", gzipSync(readFileSync(two)))], undefined],
      ["zip.db", [writeFile("two.zip", zipSync({ "two.xml": readFileSync(two) }))], undefined],
      ["stdin.db", ["-"], readFileSync(two)],
    ];
    for (const [name, feeds, stdin] of sources) {
      await inProcess(["import", "--db", pathOf(name), ...feeds], stdin === undefined ? {} : { stdin });
      const { stdout } = await inProcess(["stats", "--json", "--db", pathOf(name)]);
      revisions.push(JSON.parse(stdout).revision);
    }
    expect(new Set(revisions).size).toBe(1);
    expect(revisions[0]).not.toBe("0".repeat(32));
  });

  test("reads pipes that have a name, or that the shell names", async () => {
    const script = `"$0" import --db "$1" <(cat "$2") && mkfifo "$3" && { cat "$2" >"$3" & "$0" import --db "$1" "$3"; }`;
    const args = [COMMAND, pathOf("pipe.db"), two, pathOf("pipe")];
    const { stdout, stderr } = await runProgram(["bash", "-c", script, ...args]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^2 products: 2 added\. .*\n2 products: 2 unchanged\. .*\n$/);
  });

  test("exits with 3 when products are rejected, names each with its position and imports the others", async () => {
    const feed = writeFile(
      "odd.xml",
      message(product({ isbn: A }), product({ reference: "odd-1", identifiers: identifier("01", "x") })),
    );
    const { code, stdout, stderr } = await inProcess(["import", "--db", pathOf("odd.db"), feed]);
    expect(code).toBe(3);
    expect(stdout).toContain("1 added");
    expect(stderr).toContain(`rejected: ${feed}:`);
    expect(stderr).toContain("[odd-1] The product has no ISBN. Send an ISBN-13");
  });

  test("writes every complaint and the outcome to the --report file", async () => {
    const many = Array.from({ length: 20 }, (_, n) => product({ isbn: `97884376049${String(40 + n)}` }));
    const feed = writeFile("many.xml", message(...many));
    const { stderr } = await inProcess([
      "import",
      "--db",
      pathOf("many.db"),
      "--report",
      pathOf("report.json"),
      feed,
    ]);
    const report = JSON.parse(readFileSync(pathOf("report.json"), "utf8"));
    expect(report).toMatchObject({
      applied: true,
      products: 20,
      counts: { added: 20, warnings: report.complaints.length },
    });
    expect(report.complaints).toHaveLength(18);
    expect(report.complaints[0]).toEqual({
      severity: "warning",
      kind: "wrong-check-digit",
      file: feed,
      line: expect.any(Number),
      column: 1,
      reference: expect.stringMatching(/^ref-/),
      isbn: expect.stringMatching(/^97884376049\d\d$/),
      text: expect.stringContaining("check digit"),
      advice: expect.any(String),
    });
    // The terminal shows five complaints of a kind and the number of the others.
    expect(stderr.match(/warning: .*check digit/g)).toHaveLength(5);
    expect(stderr).toContain("and 13 more of this kind");
  });

  test("imports all feeds as one: a broken one leaves the catalog unchanged", async () => {
    const before = (await inProcess(["export", "--db", db])).stdout;
    const broken = writeFile(
      "broken.xml",
      message(product({ isbn: A, title: "New" })).replace("</ONIXMessage>", ""),
    );
    const { code, stdout, stderr } = await inProcess([
      "import",
      "--db",
      db,
      "--replace",
      writeFile("empty.xml", message()),
      broken,
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^None of the feeds was imported\.\ncolophon: .*broken\.xml: line \d+, column \d+: .+\n$/,
    );
    expect((await inProcess(["export", "--db", db])).stdout).toBe(before);
  });

  test("of before the history is shown by stats and history with its time", async () => {
    const path = pathOf("before-history.db");
    const feed = writeFile("before.xml", message(product({ isbn: A })));
    expect((await inProcess(["import", "--db", path, feed])).code).toBe(0);
    const { imported } = JSON.parse((await inProcess(["stats", "--json", "--db", path])).stdout);
    const db = new Database(path);
    db.run("DELETE FROM import_run");
    db.close();
    const history = await inProcess(["history", "--db", path]);
    expect(history.stdout).toBe(`Imported before the history began, at ${imported}.\n`);
    const stats = await inProcess(["stats", "--db", path]);
    expect(stats.stdout).toContain(`last successful  ${imported}  before the history began\n`);
  });

  test("is shown by stats with its counts, its failure, and the last successful one", async () => {
    const path = pathOf("runs.db");
    const feed = writeFile("runs.xml", message(product({ isbn: A }), product({ isbn: B })));
    const stats = async () => {
      const { disk, ...others } = JSON.parse((await inProcess(["stats", "--json", "--db", path])).stdout);
      expect(disk).toMatchObject({ fileBytes: statSync(path).size, diskFreeBytes: expect.any(Number) });
      return others;
    };
    const text = async () => (await inProcess(["stats", "--db", path])).stdout;
    expect((await inProcess(["import", "--db", path, feed])).code).toBe(0);
    const first = await stats();
    expect(first.lastImport).toMatchObject({ outcome: "changed", counts: { added: 2, rejected: 0 } });
    expect(first.lastSuccessfulImport).toEqual(first.lastImport);
    expect((await inProcess(["import", "--db", path, feed])).code).toBe(0);
    const second = await stats();
    expect(second.lastImport).toMatchObject({ outcome: "unchanged", counts: { unchanged: 2 } });
    expect(second).toMatchObject({ revision: first.revision, imported: first.imported });
    expect(await text()).toMatch(/\nlast import {6}\S+Z {2}unchanged: 2 unchanged\ndisk +file /);
    expect((await inProcess(["import", "--db", path, pathOf("nowhere.xml")])).code).toBe(1);
    const third = await stats();
    expect(third.lastImport).toMatchObject({
      outcome: "failed",
      message: expect.stringContaining("nowhere.xml: there is no such file"),
    });
    expect(third.lastSuccessfulImport).toEqual(second.lastImport);
    expect(await text()).toMatch(
      /\nlast import {6}\S+Z {2}failed: .*nowhere\.xml.*\nlast successful {2}\S+Z {2}unchanged: 2 unchanged\ndisk +file /,
    );
    const broken = writeFile("broken-run.xml", message(product({ isbn: A })).replace("</ONIXMessage>", ""));
    expect((await inProcess(["check", "--db", path, broken])).code).toBe(1);
    expect(await stats()).toEqual(third);
    expect((await inProcess(["import", "--db", path, broken])).code).toBe(1);
    const fourth = await stats();
    expect(fourth.lastImport).toMatchObject({
      outcome: "failed",
      message: expect.stringMatching(/broken-run\.xml: line \d+/),
    });
    expect(fourth.lastSuccessfulImport).toEqual(second.lastImport);
  });

  const rejected: [string, () => string, string][] = [
    ["a missing file", () => pathOf("nowhere.xml"), "there is no such file"],
    ["a folder", () => folder, "is a folder"],
    ["an empty file", () => writeFile("nothing", ""), "empty"],
    ["ONIX 2.1", () => writeFile("21.xml", '<ONIXMessage release="2.1"><Product/></ONIXMessage>'), "2.1"],
    [
      "no ONIX in a zip",
      () => writeFile("a.zip", zipSync({ "in/a.xml": Buffer.from("<a/>") })),
      `colophon: ${pathOf("a.zip")}/in/a.xml: line 1, column 1: `,
    ],
    ["a truncated gzip", () => writeFile("cut.gz", gzipSync(message(product({}))).subarray(0, 100)), "gzip"],
  ];
  for (const [name, feed, reason] of rejected) {
    test(`rejects ${name} with exit 1 and a reason in one line`, async () => {
      const path = pathOf("refused.db");
      const { code, stdout, stderr } = await inProcess(["import", "--db", path, feed()]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toContain(reason);
    });
  }
});

test("check prints the summary of an import and writes nothing", async () => {
  const feed = writeFile("check.xml", message(product({ isbn: A })));
  const { code, stdout } = await colophon(["check", feed], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Checked, nothing written\. 1 product: 1 added/);
  expect(existsSync(pathOf("data"))).toBe(false);
});

test("export writes <NoProduct/> for an empty catalog", async () => {
  const empty = pathOf("empty.db");
  await inProcess(["import", "--db", empty, writeFile("empty.xml", message())]);
  expect((await inProcess(["export", "--db", empty, "--format", "onix"])).stdout).toContain("<NoProduct/>");
  expect((await inProcess(["export", "--db", empty])).stdout).toBe("");
});

describe("without a catalog", () => {
  test.each(["export", "stats"])("%s exits with 1 and creates none", async (command) => {
    const { code, stderr } = await inProcess([command, "--db", pathOf("none/none.db")]);
    expect([code, existsSync(pathOf("none"))]).toEqual([1, false]);
    expect(stderr).toContain("none.db");
  });

  test("an invalid PostgreSQL URL leads to exit 2", async () => {
    const { code, stderr } = await inProcess(["stats", "--db", "postgres://me:secret@:x"]);
    expect(code).toBe(2);
    expect(stderr).toContain("postgres:// URL");
    expect(stderr).not.toContain("secret");
  });
});

describe("tokens", () => {
  const db = pathOf("tokens.db");

  test("are the only line on standard output and are not stored", async () => {
    const { code, stdout } = await colophon([
      ...["token", "--name", "Bookshop", "--days", "30", "--create", "--db", db],
    ]);
    expect(code).toBe(0);
    const token = stdout.trim();
    expect(stdout).toBe(`${token}\n`);
    const { sub, iat, exp, jti } = decodeJwt(token);
    expect([sub, exp! - iat!]).toEqual(["Bookshop", 30 * 86_400]);
    expect(jti).toBeString();
    const signature = token.split(".")[2]!;
    for (const name of ["tokens.db", "tokens.db.tokens", "tokens.db.tokens-wal", "tokens.db.secret"]) {
      if (existsSync(pathOf(name))) expect(readFileSync(pathOf(name)).includes(signature)).toBe(false);
    }
  });

  test("are rejected from the next request on when they are revoked, while the server runs", async () => {
    await inProcess(["import", "--db", db, writeFile("t.xml", message(product({ isbn: A })))]);
    const server = await startColophon(["--db", db]);
    try {
      // Only --sample prints one.
      expect(server.stdout).not.toContain("eyJ");
      const token = (await inProcess(["token", "--name", "Shop", "--db", db])).stdout.trim();
      const get = () => fetchAs(token, `${server.url}/api/isbn/${A}`);
      expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
      const { stdout } = await inProcess(["token", "list", "--db", db]);
      const id = decodeJwt(token).jti!;
      expect(stdout).toContain(id);
      expect((await inProcess(["token", "revoke", id, "--db", db])).code).toBe(0);
      const rejected = await get();
      expect(rejected.status).toBe(401);
      expect(rejected.headers.get("www-authenticate")).toBe('Bearer realm="colophon", error="invalid_token"');
      const list = JSON.parse((await inProcess(["token", "list", "--json", "--db", db])).stdout);
      expect(list.find((each: { id: string }) => each.id === id)).toMatchObject({
        name: "Shop",
        revoked: expect.any(String),
      });
    } finally {
      await server.stop();
    }
  });
});

test("serve fills an empty catalog with --sample, never one with records", async () => {
  const empty = await startColophon(["--sample", "--db", pathOf("sample.db")]);
  expect(empty.stdout).toMatch(/serves 2\d\d books of 1\d imprints/);
  expect(await empty.stop()).toBe(0);
  const db = pathOf("serve.db");
  await inProcess(["import", "--db", db, writeFile("s.xml", message(product({ isbn: A })))]);
  const full = await startColophon(["--sample", "--db", db]);
  expect(full.stdout).toContain("serves 1 book of 1 imprint");
  expect(await full.stop()).toBe(0);
});
