/** The command, as the operator runs it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { decodeJwt } from "jose";
import packageJson from "../package.json" with { type: "json" };
import { identifier, message, product } from "../src/onix/testing/message.ts";
import { colophon, startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
afterAll(() => folder.remove());

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(at(name), content);
  return at(name);
}

const A = "9788437604947";
const B = "9780199632091";

describe("usage", () => {
  const COMMANDS = ["serve", "import", "check", "export", "stats", "verify", "backup", "migrate", "token"];

  test("--version and --help", async () => {
    expect((await colophon(["--version"])).stdout.trim()).toBe(packageJson.version);
    const help = await colophon(["--help"]);
    expect(help.code).toBe(0);
    for (const command of COMMANDS) expect(help.stdout).toContain(`colophon ${command} `);
    expect(await colophon(["import", "-h"])).toEqual(help);
  });

  test("what is wrong stands above how this command goes, and no other", async () => {
    const { stderr } = await colophon(["import", "--no-such"]);
    expect(stderr).toStartWith("colophon: Unknown option '--no-such'\n\n  colophon import ");
    for (const command of COMMANDS.filter((name) => name !== "import"))
      expect(stderr).not.toContain(`colophon ${command} `);
  });

  const wrong: string[][] = [
    [],
    ["nonsense"],
    ["toString"],
    ["serve", "--port", "70000"],
    ["serve", "--port", "x"],
    ["serve", "extra"],
    ["serve", "--host", ""],
    ["serve", "--admin-host", "127.0.0.1"],
    ["import"],
    ["import", "-", "-"],
    ["export", "--format", "csv"],
    ["backup"],
    ["token"],
    ["token", "--name", " "],
    ["token", "--name", "x", "--days", "0"],
    ["token", "revoke"],
  ];
  for (const args of wrong) {
    test(`colophon ${args.join(" ")}: exit 2, and nothing on standard output`, async () => {
      const { code, stdout, stderr } = await colophon(args, { cwd: folder.path });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toStartWith("colophon: ");
    });
  }
});

describe("import", () => {
  const db = at("import.db");
  const two = file("two.xml", message(product({ isbn: A }), product({ isbn: B })));

  test("says what it did, on standard output; exit 0", async () => {
    const { code, stdout } = await colophon(["import", "--db", db, two]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^2 products: 2 added, 0 updated, 0 unchanged, 0 deleted, 0 rejected, 0 warnings\. Revision [0-9a-f]{32}\.\n$/,
    );
  });

  test("the same again changes nothing, and says so", async () => {
    const { code, stdout } = await colophon(["import", "--db", db, two]);
    expect([code, stdout]).toEqual([
      0,
      "2 products: 0 added, 0 updated, 2 unchanged, 0 deleted, 0 rejected, 0 warnings. The catalog is unchanged.\n",
    ]);
  });

  test("plain, gzip, zip and standard input give the same catalog", async () => {
    const revisions: unknown[] = [];
    const ways: [string, string[], Uint8Array | undefined][] = [
      ["plain.db", [two], undefined],
      ["gzip.db", [file("two.xml.gz", gzipSync(readFileSync(two)))], undefined],
      ["zip.db", [file("two.zip", zipSync({ "two.xml": readFileSync(two) }))], undefined],
      ["stdin.db", ["-"], readFileSync(two)],
    ];
    for (const [name, feeds, stdin] of ways) {
      await colophon(["import", "--db", at(name), ...feeds], stdin === undefined ? {} : { stdin });
      const { stdout } = await colophon(["stats", "--json", "--db", at(name)]);
      revisions.push(JSON.parse(stdout).revision);
    }
    expect(new Set(revisions).size).toBe(1);
    expect(revisions[0]).not.toBe("0".repeat(32));
  });

  test("exit 3 when products were rejected, each named with its place; the others are in", async () => {
    const feed = file(
      "odd.xml",
      message(product({ isbn: A }), product({ reference: "odd-1", identifiers: identifier("01", "x") })),
    );
    const { code, stdout, stderr } = await colophon(["import", "--db", at("odd.db"), feed]);
    expect(code).toBe(3);
    expect(stdout).toContain("1 added");
    expect(stderr).toContain(`rejected: ${feed}:`);
    expect(stderr).toContain("[odd-1] The product has no ISBN. Send an ISBN-13");
  });

  test("--report has every complaint, and the outcome", async () => {
    const many = Array.from({ length: 20 }, (_, n) => product({ isbn: `97884376049${String(40 + n)}` }));
    const feed = file("many.xml", message(...many));
    const { stderr } = await colophon(["import", "--db", at("many.db"), "--report", at("report.json"), feed]);
    const report = JSON.parse(readFileSync(at("report.json"), "utf8"));
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
    // On the terminal, thousands of the same kind are one line.
    expect(stderr.match(/warning: .*check digit/g)).toHaveLength(5);
    expect(stderr).toContain("and 13 more of this kind");
  });

  test("all feeds of a command are one import: a broken one leaves the catalog as it was", async () => {
    const before = (await colophon(["stats", "--db", db])).stdout;
    const broken = file(
      "broken.xml",
      message(product({ isbn: A, title: "New" })).replace("</ONIXMessage>", ""),
    );
    const { code, stdout, stderr } = await colophon([
      "import",
      "--db",
      db,
      "--replace",
      file("empty.xml", message()),
      broken,
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^colophon: .*broken\.xml: line \d+, column \d+: .+\n$/);
    expect((await colophon(["stats", "--db", db])).stdout).toBe(before);
  });

  test("--replace makes the feeds the whole catalog", async () => {
    const one = file("one.xml", message(product({ isbn: B })));
    expect((await colophon(["import", "--db", db, "--replace", one])).stdout).toContain(
      "1 unchanged, 1 deleted",
    );
    expect((await colophon(["export", "--db", db])).stdout.trim().split("\n")).toHaveLength(1);
  });

  const refused: [string, () => string, string][] = [
    ["a missing file", () => at("nowhere.xml"), "there is no such file"],
    ["a folder", () => folder.path, "is a folder"],
    ["an empty file", () => file("nothing", ""), "empty"],
    ["JSON", () => file("a.json", '{"a": 1}'), "JSON"],
    ["an HTML page", () => file("a.html", "<!doctype html><html><body>x</body></html>"), "HTML"],
    ["ONIX 2.1", () => file("21.xml", '<ONIXMessage release="2.1"><Product/></ONIXMessage>'), "2.1"],
    [
      "no ONIX in a zip",
      () => file("a.zip", zipSync({ "in/a.xml": Buffer.from("<a/>") })),
      `colophon: ${at("a.zip")}/in/a.xml: line 1, column 1: `,
    ],
    ["a truncated gzip", () => file("cut.gz", gzipSync(message(product({}))).subarray(0, 100)), "gzip"],
  ];
  for (const [name, feed, reason] of refused) {
    test(`${name}: exit 1, a one-line reason, and no catalog changed`, async () => {
      const path = at("refused.db");
      const { code, stdout, stderr } = await colophon(["import", "--db", path, feed()]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toContain(reason);
    });
  }
});

describe("check", () => {
  test("says what import would say, and writes nothing", async () => {
    const feed = file("check.xml", message(product({ isbn: A })));
    const { code, stdout } = await colophon(["check", feed], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Checked, nothing written\. 1 products: 1 added/);
    expect(existsSync(at("data"))).toBe(false);
  });

  test("knows the catalog that is there", async () => {
    const db = at("checked.db");
    await colophon(["import", "--db", db, file("check.xml", message(product({ isbn: A })))]);
    const deletion = file("delete.xml", message(product({ isbn: A, notification: "05", blocks: "" })));
    expect((await colophon(["check", "--db", db, deletion])).stdout).toContain("1 deleted");
    expect((await colophon(["stats", "--json", "--db", db])).stdout).toContain('"records": 1');
  });
});

describe("export", () => {
  const db = at("export.db");
  const feed = message(
    product({
      isbn: A,
      reference: "first",
      text: '<Text textformat="05"><p>One &amp; <em>two</em></p></Text>',
    }),
    product({ isbn: B }),
  );
  beforeAll(async () => {
    await colophon(["import", "--db", db, file("export.xml", feed)]);
  });

  test("ndjson is the API's records, by ISBN", async () => {
    const lines = (await colophon(["export", "--db", db])).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).RecordReference)).toEqual([B, A]);
  });

  test("onix can be imported again: the same catalog, the same references", async () => {
    const { stdout } = await colophon(["export", "--db", db, "--format", "onix"]);
    expect(stdout).toContain('release="3.0"');
    expect(stdout).toContain("<RecordReference>first</RecordReference>");
    expect(stdout).toContain('<Text textformat="05"><p>One &amp; <em>two</em></p></Text>');
    expect((await colophon(["import", "--db", db, "-"], { stdin: stdout })).stdout).toContain("2 unchanged");
  });

  test("of an empty catalog is a message that says so", async () => {
    const empty = at("empty.db");
    await colophon(["import", "--db", empty, file("empty.xml", message())]);
    expect((await colophon(["export", "--db", empty, "--format", "onix"])).stdout).toContain("<NoProduct/>");
    expect((await colophon(["export", "--db", empty])).stdout).toBe("");
  });
});

describe("what is not there", () => {
  for (const args of [["export"], ["stats"], ["token", "list"], ["token", "revoke", "x"]]) {
    test(`colophon ${args.join(" ")} without a catalog: exit 1, and none is made`, async () => {
      const { code, stderr } = await colophon([...args, "--db", at("none/none.db")]);
      expect(code).toBe(1);
      expect(stderr).toContain("none.db");
      expect(existsSync(at("none"))).toBe(false);
    });
  }

  test("a server that is not there: exit 1, said in one line, and no password in it", async () => {
    const { code, stderr } = await colophon(["stats", "--db", "postgres://me:secret@127.0.0.1:1/books"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^colophon: PostgreSQL at 127\.0\.0\.1:1\/books does not respond .*\n$/);
    expect(stderr).not.toContain("secret");
  });

  test("a URL that is none: exit 2", async () => {
    const { code, stderr } = await colophon(["stats", "--db", "postgres://me:secret@:x"]);
    expect(code).toBe(2);
    expect(stderr).toContain("postgres:// URL");
    expect(stderr).not.toContain("secret");
  });
});

describe("tokens", () => {
  const db = at("tokens.db");

  test("are printed alone on standard output, and never kept", async () => {
    const { code, stdout } = await colophon(["token", "--name", "Bookshop", "--days", "30", "--db", db]);
    expect(code).toBe(0);
    const token = stdout.trim();
    expect(stdout).toBe(`${token}\n`);
    const { sub, iat, exp, jti } = decodeJwt(token);
    expect([sub, exp! - iat!]).toEqual(["Bookshop", 30 * 86_400]);
    expect(jti).toBeString();
    const signature = token.split(".")[2]!;
    for (const name of ["tokens.db", "tokens.db.tokens", "tokens.db.tokens-wal", "tokens.db.secret"]) {
      if (existsSync(at(name))) expect(readFileSync(at(name)).includes(signature)).toBe(false);
    }
  });

  test("the secret of our own making is for its owner alone", () => {
    expect(statSync(at("tokens.db.secret")).mode & 0o777).toBe(0o600);
    expect(statSync(at("tokens.db.tokens")).mode & 0o777).toBe(0o600);
  });

  test("a revoked one is refused from the next request on, while the service runs", async () => {
    await colophon(["import", "--db", db, file("t.xml", message(product({ isbn: A })))]);
    const server = await startColophon(["--db", db]);
    try {
      const token = (await colophon(["token", "--name", "Shop", "--db", db])).stdout.trim();
      const ask = () =>
        fetch(`${server.url}/api/isbn/${A}`, { headers: { Authorization: `Bearer ${token}` } });
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
      const { stdout } = await colophon(["token", "list", "--db", db]);
      const id = decodeJwt(token).jti!;
      expect(stdout).toContain(id);
      expect((await colophon(["token", "revoke", id, "--db", db])).code).toBe(0);
      const refused = await ask();
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="colophon", error="invalid_token"');
      const list = JSON.parse((await colophon(["token", "list", "--json", "--db", db])).stdout);
      expect(list.find((each: { id: string }) => each.id === id)).toMatchObject({
        name: "Shop",
        revoked: expect.any(String),
      });
    } finally {
      await server.stop();
    }
  });

  test("an unknown id is not revoked", async () => {
    expect((await colophon(["token", "revoke", "nobody", "--db", db])).code).toBe(1);
  });

  test("a secret that is too short: refused, and said why", async () => {
    const { code, stderr } = await colophon(["serve", "--port", "0", "--db", db], {
      env: { COLOPHON_JWT_SECRET: "short" },
    });
    expect(code).toBe(1);
    expect(stderr).toContain("COLOPHON_JWT_SECRET");
    expect(stderr).not.toContain("short ");
  });
});

describe("serve", () => {
  const db = at("serve.db");

  test("--sample fills an empty catalog, never one that has records", async () => {
    const empty = await startColophon(["--sample", "--db", at("sample.db")]);
    expect(empty.stdout).toMatch(/serves 2\d\d books of 1\d imprints/);
    expect(await empty.stop()).toBe(0);
    await colophon(["import", "--db", db, file("s.xml", message(product({ isbn: A })))]);
    const full = await startColophon(["--sample", "--db", db]);
    expect(full.stdout).toContain("serves 1 book of 1 imprint");
    expect(await full.stop()).toBe(0);
  });

  test("prints no token without --sample", async () => {
    const server = await startColophon(["--db", db]);
    expect(server.stdout).not.toContain("eyJ");
    await server.stop();
  });

  test("a request after an import by another process sees it", async () => {
    const server = await startColophon(["--sample", "--db", db]);
    const ask = async (path: string) => {
      const response = await fetch(server.url + path, {
        headers: { Authorization: `Bearer ${server.token}` },
      });
      return { status: response.status, body: await response.json(), etag: response.headers.get("etag") };
    };
    expect((await ask(`/api/isbn/${B}`)).status).toBe(404);
    const before = await ask("/api/skus");
    await colophon(["import", "--db", db, file("s2.xml", message(product({ isbn: B })))]);
    expect((await ask(`/api/isbn/${B}`)).status).toBe(200);
    const after = await ask("/api/skus");
    expect([before.body, after.body]).toEqual([[A], [B, A]]);
    expect(after.etag).not.toBe(before.etag);
    await server.stop();
  });

  test("1,000 ISBNs in one URL work, 1,001 do not, and the detail names the limit", async () => {
    const server = await startColophon(["--sample", "--db", db]);
    const ask = (count: number) =>
      fetch(`${server.url}/api/isbns/${Array(count).fill(A).join(",")}`, {
        headers: { Authorization: `Bearer ${server.token}` },
      });
    const thousand = await ask(1000);
    expect([thousand.status, ((await thousand.json()) as unknown[]).length]).toEqual([200, 1000]);
    const more = await ask(1001);
    expect(more.status).toBe(400);
    expect(((await more.json()) as { detail: string }).detail).toMatch(/\b1,?000\b/);
    await server.stop();
  });

  test("a port that is taken: exit 1, and said so", async () => {
    const server = await startColophon(["--db", db]);
    const { code, stderr } = await colophon(["serve", "--db", db, "--port", new URL(server.url).port]);
    expect(code).toBe(1);
    expect(stderr).toContain("--port");
    await server.stop();
  });

  test("SIGTERM ends it with exit 0, also with a connection open", async () => {
    const server = await startColophon(["--sample", "--db", db]);
    await fetch(`${server.url}/openapi.json`, { keepalive: true });
    expect(await server.stop()).toBe(0);
  });
});
