/**
 * Runs the operator's day of docs/deployment.md, word for word and in order, on one catalog. Only the ports are others.
 * `npx` is a script that runs this clone's command, because npm takes half a second for each.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../src/lib/testing/free-port.ts";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { formatNumber } from "../src/stores/format.ts";
import { CATALOG as POSTGRES } from "../src/stores/postgres/schema.ts";
import { CATALOG } from "../src/stores/sqlite/schema.ts";
import { COMMAND, runProgram, temporaryFolder } from "./process.ts";

const ROOT = join(import.meta.dir, "..");
const DAY = readFileSync(join(ROOT, "docs/deployment.md"), "utf8")
  .split("\n## A day with one catalog\n")[1]!
  .split("\n## ")[0]!;
const BLOCKS = [...DAY.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code!);

const folder = temporaryFolder();
const read = (name: string) => readFileSync(join(folder, name), "utf8");

describe.skipIf(isProgramMissing("bash", "curl"))(
  "the operator's day (skipped without bash and curl)",
  () => {
    /** What each block has printed. */
    let outputs: string[] = [];

    beforeAll(async () => {
      cpSync(join(ROOT, "sample"), join(folder, "sample"), { recursive: true });
      mkdirSync(join(folder, "bin"));
      const npx = join(folder, "bin/npx");
      writeFileSync(npx, `#!/bin/sh\n[ "$1" = colophon ] && shift && exec "${COMMAND}" "$@"\n`);
      chmodSync(npx, 0o755);
      const [port, adminPort] = [freePort(), freePort()];
      // The mark tells where the output of a block ends. The trap ends the service when a command fails.
      const script = `trap 'kill $! 2>/dev/null || true' ERR\n${BLOCKS.join('echo "=== end of block"\n')}`
        .replaceAll("8080", String(port))
        .replaceAll("9090", String(adminPort));
      const { code, stdout, stderr } = await runProgram(["bash", "-Eeuo", "pipefail", "-c", script], {
        cwd: folder,
        env: { PATH: `${join(folder, "bin")}:${process.env.PATH}`, PORT: String(port) },
      });
      expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
      outputs = stdout.split("=== end of block\n");
    });

    test("checks and imports a feed, and the service shows a book of it", () => {
      expect(outputs).toHaveLength(BLOCKS.length);
      const all = outputs.join("");
      expect(all).toContain("Checked, nothing written. 223 products: 223 added");
      expect(all).toContain("\n223 products: 223 added");
      expect(read("page.html")).toStartWith("<!DOCTYPE html>");
      expect(JSON.parse(read("report.json"))).toMatchObject({ applied: true, counts: { added: 223 } });
      expect(all).toContain('"RecordReference":"9789999901116"');
    });

    test("imports an update that changes titles", () => {
      const update = outputs[5]!;
      expect(update).toContain('"Treasure Island, illustrated"');
      expect(update).toMatch(/^223 products: (\d) updated \([^)]*texts[^)]*\), \d+ unchanged\. /m);
      expect(read("export.xml")).toContain(">Treasure Island, illustrated<");
    });

    test("restores the backup, in which the token is not revoked yet, and verifies it", () => {
      expect(outputs.at(-2)).toContain("Bookshop");
      expect(outputs.at(-1)).toContain("223 records, all intact.");
      const events = read("colophon.log")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).event);
      expect(events).toEqual(["started", "request", "stopping", "stopped"]);
    });
  },
);

test("docs/deployment.md has the current formats", () => {
  const page = readFileSync(join(ROOT, "docs/deployment.md"), "utf8");
  expect(page).toContain(`it is ${formatNumber(CATALOG)} on SQLite`);
  expect(page).toContain(`${formatNumber(POSTGRES)} on PostgreSQL`);
});
