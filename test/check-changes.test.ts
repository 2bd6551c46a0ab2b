/** `colophon check` beside a catalog: what would change, without a lock of the catalog. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../src/onix/testing/message.ts";
import {
  createDatabase,
  isPostgresLeftOut,
  type TestDatabase,
} from "../src/stores/postgres/testing/database.ts";
import { numberedIsbn } from "./during-tests.ts";
import { canMount, mountTestDisk, SKIP_REASON } from "./faults/test-disk.ts";
import { colophon } from "./in-process.ts";
import { COMMAND, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
let database: TestDatabase | undefined;
const locations = {
  sqlite: () => join(folder, "catalog.db"),
  ...(isPostgresLeftOut ? {} : { postgres: () => database!.url }),
};

const feed = (name: string, ...products: readonly string[]) => {
  const path = join(folder, name);
  writeFileSync(path, message(...products));
  return path;
};
const [A, B, C, D] = [numberedIsbn(1), numberedIsbn(2), numberedIsbn(3), numberedIsbn(4)];

beforeAll(async () => {
  if (!isPostgresLeftOut) database = await createDatabase();
});

afterAll(() => database?.[Symbol.asyncDispose]());

describe.each(Object.entries(locations))("%s", (_, location) => {
  beforeAll(async () => {
    const first = feed("first.xml", ...[A, B, C].map((isbn) => product({ isbn, title: "Old" })));
    expect(await colophon(["import", "--db", location(), first])).toMatchObject({ code: 0 });
  });

  test("an import begins and ends while a check of the same catalog runs", async () => {
    const check = Bun.spawn([COMMAND, "check", "--db", location(), "-"], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    // More than fits into a pipe: when all of it is written, the check has begun to read the feed.
    const [head, tail] = message("PRODUCTS").split("PRODUCTS") as [string, string];
    const products = Array.from({ length: 2000 }, (_, index) =>
      product({ isbn: numberedIsbn(1000 + index) }),
    );
    check.stdin.write(head + products.join(""));
    await check.stdin.flush();
    const second = feed("second.xml", product({ isbn: D, title: "Imported meanwhile" }));
    const imported = await colophon(["import", "--db", location(), second]);
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(check.exitCode).toBe(null);
    check.stdin.write(product({ isbn: D, title: "Other" }) + tail);
    await check.stdin.end();
    const output = await new Response(check.stdout).text();
    expect([await check.exited, output]).toEqual([0, expect.stringContaining("2,001 products: 2,001 added")]);
  });

  test("--diff prints each changed book once as NDJSON, in order of ISBN, and nothing else", async () => {
    const changes = feed(
      "changes.xml",
      product({ isbn: C, notification: "05" }),
      product({ isbn: numberedIsbn(9), title: "New" }),
      product({ isbn: A, title: "Between" }),
      product({ isbn: A, title: "New", text: "<Text>Long</Text>" }),
      product({ isbn: B, title: "Old" }),
    );
    const { code, stdout, stderr } = await colophon(["check", "--db", location(), "--diff", changes]);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        isbn: A,
        change: "changed",
        title: "New",
        fields: [
          { path: "DescriptiveDetail.TitleDetail.TitleElement.TitleText", old: "Old", new: "New" },
          {
            path: "CollateralDetail",
            new: { TextContent: [{ TextType: "03", ContentAudience: "00", Text: "Long" }] },
          },
        ],
      },
      { isbn: C, change: "deleted", title: "Old" },
      { isbn: numberedIsbn(9), change: "added", title: "New" },
    ]);
    expect(stderr).toContain("Checked, nothing written.");
    expect(stderr).toContain("The import would add 1 book, change 1 book, delete 1 book.\n");
    // The same again: nothing was written.
    expect((await colophon(["check", "--db", location(), "--diff", changes])).stdout).toBe(stdout);
  });

  test("without --diff, a summary of the changes is on standard output", async () => {
    const changes = feed("summary.xml", product({ isbn: A, title: "New" }));
    const { code, stdout } = await colophon(["check", "--db", location(), changes]);
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(1, 8)).toEqual([
      "The import would change 1 book.",
      "Fields that change in the most books:",
      "        1  DescriptiveDetail.TitleDetail.TitleElement.TitleText",
      "Changed:",
      `  ${A} New`,
      "    DescriptiveDetail.TitleDetail.TitleElement.TitleText: Old → New",
      "",
    ]);
  });

  test("check --replace --diff lists the books that would go", async () => {
    const rest = feed("rest.xml", ...[A, B, C].map((isbn) => product({ isbn, title: "Old" })));
    const { stdout } = await colophon(["check", "--db", location(), "--replace", "--diff", rest]);
    expect(JSON.parse(stdout)).toEqual({ isbn: D, change: "deleted", title: "Imported meanwhile" });
  });
});

test("check --diff without a catalog lists every book as added", async () => {
  const first = feed("first.xml", product({ isbn: B, title: "Two" }), product({ isbn: A, title: "One" }));
  const { code, stdout } = await colophon(["check", "--diff", first], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toBe(
    `{"isbn":"${A}","change":"added","title":"One"}\n{"isbn":"${B}","change":"added","title":"Two"}\n`,
  );
});

test.skipIf(!canMount)(`check names the temporary folder when it is full${SKIP_REASON}`, async () => {
  using disk = mountTestDisk(folder, 1);
  const products = Array.from({ length: 40 }, (_, index) =>
    product({ isbn: numberedIsbn(index), text: `<Text>${"long text ".repeat(40_000)}</Text>` }),
  );
  const { code, stdout, stderr } = await colophon(["check", feed("large.xml", ...products)], {
    cwd: folder,
    env: { TMPDIR: disk.path },
  });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`the temporary folder ${disk.path} is full; free space in it, or set TMPDIR`);
});

test("check leaves every byte of the file as it was", async () => {
  const path = join(folder, "readonly.db");
  const first = feed("first.xml", product({ isbn: A, title: "Old" }));
  await colophon(["import", "--db", path, first]);
  const before = await Bun.file(path).bytes();
  expect((await colophon(["check", "--db", path, first])).stdout).toContain("The catalog would not change.");
  expect(await Bun.file(path).bytes()).toEqual(before);
});
