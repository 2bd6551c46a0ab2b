/** Runs every command of docs/runbook.md beside a service, and compares what it prints with the page. */
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../src/lib/testing/free-port.ts";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { duringTests } from "./during-tests.ts";
import { colophon } from "./in-process.ts";
import { COMMAND, runProgram, SAMPLE, startColophon, temporaryFolder } from "./process.ts";

const ROOT = join(import.meta.dir, "..");
const PAGE = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");
const RULES = readFileSync(join(ROOT, "examples/alerts.yml"), "utf8");

const SECTIONS = PAGE.split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf("\n")),
    commands: [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, code]) => code!),
    expected: /^```text\n(.*?)\n```$/ms.exec(text)?.[1] ?? "",
  }));

test("every alert links to its section, and every section has one command and its output", () => {
  const links = [...RULES.matchAll(/alert: (\w+).*?runbook_url: docs\/runbook\.md#(\w+)\n/gs)];
  expect(links).toHaveLength(RULES.match(/alert: /g)!.length);
  const titles = SECTIONS.map(({ title }) => title);
  for (const [, alert = "", anchor] of links) {
    expect([anchor, titles]).toEqual([alert.toLowerCase(), expect.arrayContaining([alert])]);
  }
  for (const { title, commands, expected } of SECTIONS) {
    expect([title, commands.length, expected !== ""]).toEqual([title, 1, true]);
  }
});

describe.skipIf(isProgramMissing("bash", "curl"))(
  "the commands of the runbook (skipped without bash and curl)",
  () => {
    const folder = temporaryFolder();
    const adminPort = freePort();
    const db = join(folder, "lib/catalog.db");
    const here = (text: string) =>
      text
        .replaceAll("/var/lib/colophon", join(folder, "lib"))
        .replaceAll("/var/log/colophon", join(folder, "log"))
        .replaceAll("/srv/feeds", join(folder, "feeds"))
        .replaceAll("9090", String(adminPort));

    duringTests(async () => {
      for (const name of ["bin", "lib/backup", "log", "feeds"])
        mkdirSync(join(folder, name), { recursive: true });
      symlinkSync(COMMAND, join(folder, "bin/colophon"));
      expect((await colophon(["init", "--db", db])).code).toBe(0);
      expect((await colophon(["import", "--db", db, SAMPLE])).code).toBe(0);
      expect((await colophon(["import", "--db", db, join(folder, "nowhere.xml")])).code).toBe(1);
      expect((await colophon(["import", "--db", db, SAMPLE])).code).toBe(0);
      expect((await colophon(["backup", "--db", db, join(folder, "lib/backup/catalog-1.db")])).code).toBe(0);
      writeFileSync(join(folder, "feeds/bad.xml"), "<x");
      mkdirSync(join(folder, "feeds/done"));
      copyFileSync(SAMPLE, join(folder, "feeds/done/wrong.xml"));
      const log = ["--log-file", join(folder, "log/colophon.log")];
      const watch = ["--watch", join(folder, "feeds"), "--settle", "0"];
      return await startColophon(["--db", db, "--admin-port", String(adminPort), ...log, ...watch]);
    });

    beforeAll(async () => {
      const report = join(folder, "feeds/refused/bad.xml.report.json");
      await waitFor("the feed is refused", () => Bun.file(report).exists());
    });

    test.each(SECTIONS.map((section) => [section.title, section] as const))("%s", async (_, section) => {
      const env = { PATH: `${join(folder, "bin")}:${process.env.PATH}` };
      const { code, stdout, stderr } = await runProgram(["bash", "-c", here(section.commands[0]!)], { env });
      const pattern = here(section.expected)
        .split("…")
        .map(RegExp.escape)
        .join(".*")
        .replaceAll("\\x20", " +");
      expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(new RegExp(pattern, "m"))]);
    });
  },
);
