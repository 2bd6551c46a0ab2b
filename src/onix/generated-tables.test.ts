import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedFile } from "../lib/testing/shared-files.ts";

const standard = sharedFile("onix");
const output = mkdtempSync(join(tmpdir(), "colophon-tables-"));
afterAll(() => rmSync(output, { recursive: true, force: true }));

test.skipIf(standard.missing)(
  `npm run tables generates the tables${standard.missing ? " (skipped: no ../shared/onix)" : ""}`,
  () => {
    const script = join(import.meta.dir, "../../scripts/tables.ts");
    expect(Bun.spawnSync([process.execPath, script, standard.path, output]).exitCode).toBe(0);
    const tables = join(import.meta.dir, "generated");
    expect(readdirSync(output).sort()).toEqual(readdirSync(tables).sort());
    for (const file of readdirSync(tables)) {
      const isSame = readFileSync(join(tables, file), "utf8") === readFileSync(join(output, file), "utf8");
      expect([file, isSame]).toEqual([file, true]);
    }
  },
);
