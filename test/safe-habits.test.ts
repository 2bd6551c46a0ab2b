/** What operators mistype, forget and abbreviate. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLE_SENDER } from "../src/catalog/rules/message-order.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { colophon } from "./in-process.ts";
import { startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");

describe("a mistake", () => {
  test.each([
    [["srve"], 'there is no command "srve"; did you mean "serve"?'],
    [["serve", "--wokers", "2"], "Unknown option '--wokers'; did you mean --workers?"],
    [["import", "--replcae", "x.xml"], "Unknown option '--replcae'; did you mean --replace?"],
    [["serve", "--verbose"], "Unknown option '--verbose'"],
  ])("%j gets one line with the nearest right name, and the usage", async (args, message) => {
    const { code, stdout, stderr } = await colophon(args);
    expect([code, stdout, stderr.split("\n")[0]]).toEqual([2, "", `colophon: ${message}`]);
  });
});

describe("--help", () => {
  test.each("serve import watch check export stats history verify backup compact migrate token".split(" "))(
    "shows %s alone, with examples",
    async (command) => {
      const { code, stdout } = await colophon([command, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toStartWith(`  colophon ${command} `);
      expect(stdout).toMatch(new RegExp(`Examples:\n(.*\n)*?.*colophon ${command}\\b`));
      const others = stdout
        .split("\n")
        .filter((line) => /^ {2}colophon /.test(line) && !line.includes(command));
      expect(others).toEqual([]);
      expect((await colophon(["help", command])).stdout).toBe(stdout);
    },
  );
});

describe("an environment variable", () => {
  test("sets what its option sets, and the option counts more", async () => {
    const env = { COLOPHON_DB: db, COLOPHON_CREATE: "true", COLOPHON_LOG: "none", COLOPHON_WORKERS: "2" };
    const server = await startColophon(["--log", "requests"], env);
    expect(await server.stop()).toBe(0);
    expect(await server.stderr).toContain('"workers":2');
  });

  test("for imports may be set beside a service that watches no folder", async () => {
    const env = { COLOPHON_DB: db, COLOPHON_IN_ORDER: "true", COLOPHON_KEEP_DELETIONS: "30" };
    const server = await startColophon(["--create"], env);
    expect(await server.stop()).toBe(0);
  });

  test.each([
    [{ COLOPHON_WORKERS: "many" }, /--workers must be a whole number/],
    [{ COLOPHON_CREATE: "perhaps" }, /COLOPHON_CREATE must be true or false, not "perhaps"/],
  ])("%j is refused", async (env, message) => {
    const { code, stderr } = await colophon(["serve", "--db", db], { env });
    expect([code, message.test(stderr)]).toEqual([2, true]);
  });
});

describe("token revoke", () => {
  test("takes the beginning of one id, and refuses that of none", async () => {
    for (const name of ["A", "B"]) {
      expect((await colophon(["token", "--db", db, "--create", "--name", name])).code).toBe(0);
    }
    const list = async () =>
      JSON.parse((await colophon(["token", "list", "--json", "--db", db])).stdout) as {
        id: string;
        revoked?: string;
      }[];
    const [first, second] = (await list()) as [{ id: string }, { id: string }];
    const revoked = await colophon(["token", "revoke", first.id.slice(0, 5), "--db", db]);
    expect([revoked.code, revoked.stderr]).toEqual([0, expect.stringContaining(first.id)]);
    expect((await list()).filter(({ revoked }) => revoked).map(({ id }) => id)).toEqual([first.id]);
    expect((await list()).find(({ id }) => id === second.id)!.revoked).toBeUndefined();
    const unknown = second.id.startsWith("000000") ? "111111" : "000000";
    const { code, stderr } = await colophon(["token", "revoke", unknown, "--db", db]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`no token begins with ${unknown}`)]);
  });
});

describe("the sample", () => {
  const SAMPLE = join(import.meta.dir, "../sample/catalog.xml");
  const catalog = join(folder, "sample.db");
  const feed = join(folder, "feed.xml");

  test("has the sender by which its books are known", async () => {
    expect(await Bun.file(SAMPLE).text()).toContain(
      `<Sender><SenderName>${SAMPLE_SENDER.replace("name:", "")}</SenderName></Sender>`,
    );
  });

  test("is named by an import beside it, and taken away by --replace", async () => {
    writeFileSync(feed, message(product({ isbn: "9788437604947" }), product({ isbn: "9789999901116" })));
    const sample = await colophon(["import", "--db", catalog, SAMPLE]);
    expect([sample.code, sample.stderr]).toEqual([0, ""]);
    const beside = await colophon(["import", "--db", catalog, feed]);
    expect([beside.code, beside.stderr]).toEqual([
      0,
      "The catalog also holds 222 books of the sample; to remove them, import all your feeds once with --replace.\n",
    ]);
    const replaced = await colophon(["import", "--db", catalog, "--replace", feed]);
    expect([replaced.code, replaced.stdout]).toEqual([
      0,
      expect.stringContaining("2 products: 2 unchanged; 222 other books removed"),
    ]);
    expect((await colophon(["stats", "--db", catalog])).stdout).toMatch(/^records +2\n/);
  });
});
