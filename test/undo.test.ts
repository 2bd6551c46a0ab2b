/** A wrong feed is undone on the real program, and the corrected one is imported in its place. */
import { beforeAll, expect, test } from "bun:test";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../src/onix/testing/message.ts";
import { colophon } from "./in-process.ts";
import { temporaryFolder } from "./process.ts";

const [A, B, C] = ["9788437604947", "9780199632091", "9782070360024"] as const;
const folder = temporaryFolder();
const template = join(folder, "template.db");

function writeFeed(name: string, day: string, ...products: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, message(...products).replace("20240101", day));
  return path;
}

const all = writeFeed("all.xml", "20240102", product({ isbn: A }), product({ isbn: B, reference: "b" }));
const supply = (prices: string) =>
  `<ProductSupply><SupplyDetail><ProductAvailability>20</ProductAvailability>${prices}</SupplyDetail></ProductSupply>`;
/** Takes all prices away, deletes a book, adds one, and has a test record. */
const wrong = writeFeed(
  "wrong.xml",
  "20240301",
  product({ isbn: A, notification: "04", blocks: supply("") }),
  product({ identifiers: "", reference: "b", notification: "05", blocks: "" }),
  product({ isbn: C }),
  product({ isbn: C, reference: "test", notification: "88" }),
);
const corrected = writeFeed("corrected.xml", "20240201", product({ isbn: A, title: "Corrected" }));

beforeAll(async () => {
  expect((await colophon(["import", "--db", template, all])).code).toBe(0);
  expect((await colophon(["import", "--db", template, wrong])).code).toBe(0);
});

function copyOfCatalog(name: string): string {
  const db = join(folder, name);
  copyFileSync(template, db);
  return db;
}

test("history undo takes the last import back, and the corrected feed is not older than the wrong one", async () => {
  const db = copyOfCatalog("undo.db");
  const early = await colophon(["history", "undo", "1", "--db", db]);
  expect([early.code, early.stderr]).toEqual([
    1,
    "colophon: Import 1 is not the last one. The one that can be undone is import 2. The catalog is unchanged.\n",
  ]);
  const { code, stdout } = await colophon(["history", "undo", "2", "--db", db]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Import 2 is undone, and the catalog is as after import 1: 1 added, 1 updated \(prices and stock\), 1 deleted\. Revision /,
    ),
  ]);
  const exported = await colophon(["export", "--db", db]);
  const whole = join(folder, "whole.db");
  await colophon(["import", "--db", whole, all]);
  expect(exported.stdout).toBe((await colophon(["export", "--db", whole])).stdout);
  const again = await colophon(["import", "--in-order", "--db", db, corrected]);
  expect([again.code, again.stderr]).toEqual([0, ""]);
  const history = JSON.parse((await colophon(["history", "--json", "--db", db])).stdout);
  expect(
    history.map(({ number, undoable, undoes, undoneBy }: Undoable) => [number, undoable, undoes, undoneBy]),
  ).toEqual([
    [4, true, null, null],
    [3, true, 2, null],
    [2, false, null, 3],
    [1, true, null, null],
  ]);
  expect((await colophon(["verify", "--db", db])).code).toBe(0);
});

interface Undoable {
  readonly number: number;
  readonly undoable: boolean;
  readonly undoes: number | null;
  readonly undoneBy: number | null;
}

test("imports are undone one by one to the empty catalog, an import of several feeds with --replace too", async () => {
  const db = copyOfCatalog("all.db");
  const replace = ["import", "--replace", "--allow-removals", "--db", db];
  expect((await colophon([...replace, corrected, all])).code).toBe(0);
  for (const number of ["3", "2", "1"]) {
    expect((await colophon(["history", "undo", number, "--db", db])).code).toBe(0);
  }
  expect(JSON.parse((await colophon(["stats", "--json", "--db", db])).stdout).records).toBe(0);
  const none = await colophon(["history", "undo", "2", "--db", db]);
  expect([none.code, none.stderr]).toContain(
    "colophon: Import 2 is undone by import 5. Only the last undo can be undone. The catalog is unchanged.\n",
  );
  // The undo of the first import is undone.
  expect((await colophon(["history", "undo", "6", "--db", db])).stdout).toContain(
    "as after import 1: 2 added.",
  );
});

test("an import that keeps nothing cannot be undone, and the history says so", async () => {
  const db = copyOfCatalog("none.db");
  expect((await colophon(["import", "--keep-undo", "0", "--db", db, corrected])).code).toBe(0);
  const { code, stderr } = await colophon(["history", "undo", "3", "--db", db]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("cannot be undone")]);
  const { stderr: ofEarlier } = await colophon(["history", "undo", "1", "--db", db]);
  expect(ofEarlier).toContain("Import 1 is not the last one. No import can be undone.");
  expect((await colophon(["history", "--db", db])).stdout).toMatch(/^ +3 .*changed, no undo/m);
  expect((await colophon(["import", "--keep-undo", "x", "--db", db, corrected])).code).toBe(2);
});
