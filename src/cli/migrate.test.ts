import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const COLOPHON = join(import.meta.dir, "../../bin/colophon");
const OLD_CATALOG = join(import.meta.dir, "../stores/sqlite/testing/old-formats/format-3.db.gz");

/** Runs commands on a catalog of format 3. */
async function run(...commands: string[][]): Promise<{ stdout: string; stderr: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-"));
  try {
    const path = join(folder, "catalog.db");
    writeFileSync(path, Bun.gunzipSync(readFileSync(OLD_CATALOG)));
    const results = [];
    for (const command of commands) {
      const child = Bun.spawn([COLOPHON, ...command, "--db", path], { stdout: "pipe", stderr: "pipe" });
      const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      results.push({ stdout, stderr });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("migrate names the formats once, then says that the catalog is up to date", async () => {
  const [first, second] = await run(["migrate"], ["migrate"]);
  expect(first!.stdout).toMatch(/^The catalog was migrated from format 3 to \d+\.\n$/);
  expect(second!.stdout).toBe("The catalog is up to date.\n");
});

test("a command that migrates a catalog says so on standard error", async () => {
  const [result] = await run(["import", join(import.meta.dir, "../../sample/catalog.xml")]);
  expect(result!.stderr).toMatch(/Migrating .*catalog\.db from format 3 to \d+, once; /);
});
