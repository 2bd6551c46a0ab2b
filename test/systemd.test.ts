/** The units in examples/: systemd's own checks, and their commands as processes. */
import { beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { COMMAND, colophon, temporaryFolder } from "./process.ts";

const EXAMPLES = join(import.meta.dir, "../examples");
const UNITS = readdirSync(EXAMPLES).filter((name) => /\.(service|socket|timer)$/.test(name));
const SERVICES = UNITS.filter((name) => name.endsWith(".service"));
/** Tenths of systemd's exposure level: 0 is none, 100 is a service of root without any restriction. */
const MAX_EXPOSURE = 20;

const folder = temporaryFolder();
/** A path without spaces, wherever the clone is: a unit separates arguments by them. */
const PROGRAM = join(folder, "colophon");
symlinkSync(COMMAND, PROGRAM);

const unitOf = (name: string) => readFileSync(join(EXAMPLES, name), "utf8");

describe.skipIf(isProgramMissing("systemd-analyze"))(
  "systemd-analyze (skipped where it is not installed)",
  () => {
    const units = join(folder, "units");
    mkdirSync(units);
    // The program has to exist for the check.
    for (const name of UNITS)
      writeFileSync(join(units, name), unitOf(name).replaceAll("/usr/local/bin/colophon", PROGRAM));
    const analyze = (...args: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync(["systemd-analyze", "--no-pager", ...args], {
        cwd: units,
      });
      return { exitCode, output: `${stdout}${stderr}` };
    };

    test("verify finds no mistake in the units", () => {
      expect(UNITS.length).toBe(5);
      expect(analyze("verify", ...UNITS.map((name) => `./${name}`))).toEqual({ exitCode: 0, output: "" });
    });

    test.each(SERVICES)(`security rates the exposure of %s at most ${MAX_EXPOSURE / 10}`, (name) => {
      const { exitCode, output } = analyze("security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, name);
      expect([exitCode, output.split("\n").at(-2)]).toEqual([0, expect.stringContaining(name)]);
    });
  },
);

describe("the commands of the units", () => {
  const state = join(folder, "state");
  const feeds = join(folder, "feeds");
  mkdirSync(join(state, "backup"), { recursive: true });
  mkdirSync(feeds);
  const feed = join(folder, "feed.xml");
  writeFileSync(feed, message(product({ isbn: "9788437604947" })));

  /** Starts the command as systemd does: with its environment only, and with `%%` and `$$` read as one character. */
  function start(name: string) {
    const unit = unitOf(name);
    const here = (text: string) =>
      text
        .replaceAll("/usr/local/bin/colophon", PROGRAM)
        .replaceAll("/var/lib/colophon", state)
        .replaceAll("/srv/feeds", feeds);
    const line = here(/^ExecStart=(.*)$/m.exec(unit)![1]!.replaceAll("%%", "%").replaceAll("$$", "$"));
    const environment = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, key, value]) => [
      key,
      here(value!),
    ]);
    const env = {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin",
      COLOPHON_SETTLE: "0",
      ...Object.fromEntries(environment),
    };
    return Bun.spawn(["sh", "-c", `exec ${line}`], { env, stdout: "pipe", stderr: "pipe" });
  }

  beforeAll(async () => {
    expect(await colophon(["init", "--db", join(state, "catalog.db")])).toMatchObject({ code: 0 });
  });

  test("of colophon-watch.service imports a feed that is moved into its folder, and ends on SIGTERM", async () => {
    const watch = start("colophon-watch.service");
    const stderr = new Response(watch.stderr).text();
    renameSync(feed, join(feeds, "feed.xml"));
    const isDone = () => existsSync(join(feeds, "done/feed.xml"));
    await waitFor("the feed is done", isDone);
    watch.kill("SIGTERM");
    expect([await watch.exited, await stderr]).toEqual([0, expect.any(String)]);
  });

  test("of colophon-backup.service writes a copy that verify accepts", async () => {
    const backup = start("colophon-backup.service");
    const output = await new Response(backup.stdout).text();
    expect([await backup.exited, output]).toEqual([0, expect.stringContaining("1 record")]);
    const copy = readdirSync(join(state, "backup")).find((name) => /^catalog-[0-9-]+\.db$/.test(name))!;
    expect(await colophon(["verify", "--db", join(state, "backup", copy)])).toMatchObject({ code: 0 });
  });
});
