/**
 * Mistakes of operators with files, folders and rights: one line with the cause and what to do. Others are in
 * `cli.test.ts`, `missing-catalog.test.ts`, `invalid-settings.test.ts`, `faults/full-disk.root.test.ts` and
 * `postgres/messages.test.ts`. And the progress of commands on a terminal.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { NAMES_PATH } from "../scripts/names.ts";
import { checkVariables, optionsByName } from "../src/cli/terminal/command.ts";
import { commands, loadCommand } from "../src/cli/terminal/commands.ts";
import { isMissing, isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { colophon } from "./in-process.ts";
import { COMMAND, type CommandResult, runProgram, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);
const feed = pathOf("feed.xml");
const db = pathOf("catalog.db");

beforeAll(async () => {
  chmodSync(folder, 0o755);
  writeFileSync(feed, message(product({ isbn: "9788437604947" })));
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
});

/** The message ends the command with 1, is the only line, and has no stack. */
function expectOneLine({ code, stdout, stderr }: CommandResult, line: RegExp): void {
  expect({ code, stdout, lines: stderr.split("\n").length - 1 }).toEqual({ code: 1, stdout: "", lines: 1 });
  expect(stderr).toStartWith("colophon: ");
  expect(stderr).toMatch(line);
}

describe("one line says what to do about", () => {
  const FILES: [name: string, args: () => string[], line: RegExp][] = [
    [
      "a URL instead of a feed",
      () => ["import", "--db", db, "https://publisher.example/feed.xml?a=1&b=2"],
      /download it, or pipe it in: "curl -sf 'https\S+' \| colophon import - --db \S+"/,
    ],
    [
      "a folder that cannot be made",
      () => ["import", "--db", join("/proc/no/catalog.db"), feed],
      /cannot be created \(ENOENT: .*name another file/,
    ],
    [
      "a backup where nothing can be written",
      () => ["backup", "/proc/no/catalog.db", "--db", db],
      /cannot be written \(ENOENT: .*Name a file in a folder that this user may write/,
    ],
  ];
  test.each(FILES)("%s", async (_, args, line) => expectOneLine(await colophon(args()), line));
});

test("a URL of another database is refused, and no file is made of it", async () => {
  const { code, stderr } = await colophon(["stats", "--db", "mysql://db/books"], { cwd: folder });
  expect([code, stderr.split("\n")[0]]).toEqual([
    2,
    "colophon: --db takes a file or a postgres:// URL, not mysql://",
  ]);
});

test("--version is an option of every command, and near to what is mistyped", async () => {
  const { version } = await Bun.file(join(import.meta.dir, "../package.json")).json();
  for (const args of [["serve", "--version"], ["version"]]) {
    expect((await colophon(args)).stdout).toStartWith(`${version} (Bun `);
  }
  expect((await colophon(["--versoin"])).stderr).toStartWith(
    'colophon: there is no command "--versoin"; did you mean "--version"?\n',
  );
});

test("a variable that is nearly that of an option is refused", async () => {
  const env = { COLOPHON_JWT_SECERT: "s".repeat(32) };
  const { code, stderr } = await colophon(["stats", "--db", db], { env });
  expect([code, stderr.split("\n")[0]]).toEqual([
    2,
    "colophon: unknown variable COLOPHON_JWT_SECERT; did you mean COLOPHON_JWT_SECRET?",
  ]);
});

test("no command takes another variable for a mistyped one", async () => {
  const [, documented = ""] = readFileSync(NAMES_PATH, "utf8").split("## Variables of the environment");
  const ofHooks = "FEED FEED_NAME OUTCOME REASON REJECTED REPORT REVISION SENDER PRODUCTS";
  const ofKubernetes = "PORT_8080_TCP_PORT SERVICE_HOST SERVICE_PORT DB_PORT DB_SERVICE_HOST DB_SERVICE_PORT";
  const ofContainers = "TAG IMAGE VERSION HOME ROOT DATA DIR PATH NAME DOMAIN URL TOKEN";
  const others = [ofHooks, ofKubernetes, ofContainers].flatMap((all) => all.split(" "));
  const names = [...documented.matchAll(/`(COLOPHON_\w+)`/g)].map(([, name]) => name!);
  const variables = [...names, ...others.map((name) => `COLOPHON_${name}`)];
  const environment = Object.fromEntries(variables.map((name) => [name, "x"]));
  expect(names.length).toBeGreaterThan(30);
  for (const name of Object.keys(commands)) {
    for (const { options } of (await loadCommand(name))!.forms) {
      checkVariables(optionsByName(options), environment);
    }
  }
});

/** Root may do everything, so these run as another user. */
const isSkipped = isMissing(userInfo().uid === 0) || isProgramMissing("setpriv");
describe.skipIf(isSkipped)(
  "without the rights, one line says what to do (skipped without root and setpriv)",
  () => {
    const NOBODY = 65_534;
    const asNobody = (args: readonly string[]) => {
      const user = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
      const env = { PATH: process.env.PATH!, HOME: pathOf("home") };
      return runProgram([...user, COMMAND, ...args], { env });
    };
    const own = pathOf("home/own.db");

    beforeAll(() => {
      mkdirSync(pathOf("home"));
      chownSync(pathOf("home"), NOBODY, NOBODY);
      mkdirSync(pathOf("private"), { mode: 0o700 });
      mkdirSync(pathOf("readable"), { mode: 0o755 });
      cpSync(db, pathOf("readable/c.db"));
      writeFileSync(pathOf("secret.xml"), "", { mode: 0o600 });
    });

    test.each([
      [
        "on a catalog",
        ["import", "--db", db, feed],
        /give the user who runs this the right to write it and the folder/,
      ],
      [
        "on the folder of a catalog",
        ["stats", "--db", pathOf("private/c.db")],
        /give the user who runs this the right/,
      ],
      ...["verify", "stats"].map((command): [string, string[], RegExp] => [
        `on the folder of a catalog that can be read, for ${command}`,
        [command, "--db", pathOf("readable/c.db")],
        /can be read, but this user may not write the folder it is in/,
      ]),
      [
        "on the folder of a new catalog",
        ["serve", "--sample", "--port", "0", "--db", pathOf("private/new.db")],
        /give the user who runs this the right to write it and the folder/,
      ],
      [
        "on a feed",
        ["import", "--db", own, pathOf("secret.xml")],
        /secret\.xml: cannot be read: EACCES.*; give this user the right to read it/,
      ],
      [
        "on the folder of a feed",
        ["check", "--db", own, pathOf("private/a.xml")],
        /give this user the right to read it/,
      ],
      [
        "on the folder of a backup",
        ["backup", pathOf("private/b.db"), "--db", db],
        /Name a file in a folder that this user may/,
      ],
    ])("%s", async (_, args, line) => expectOneLine(await asNobody(args), line));
  },
);

/** Moves the cursor to the start of the line and erases it. */
const ERASE_LINE = "\r\x1b[K";

test.each([
  ["import", "completing the catalog, with its indexes", "1 product: 1 added"],
  ["check", "finding out what would change", "Checked, nothing written. 1 product: 1 added"],
])("%s shows its last step after reading, and erases it at the end", async (command, step, summary) => {
  const feed = pathOf("progress.xml");
  writeFileSync(feed, message(product({ isbn: "9788437604947" })));
  let output = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([COMMAND, command, "--db", pathOf(`${command}.db`), feed], {
    terminal: {
      data(_, bytes) {
        output += decoder.decode(bytes, { stream: true });
      },
    },
  });
  expect(await child.exited).toBe(0);
  const lastLines = () => output.split(ERASE_LINE).slice(-2);
  // The last output may arrive after the exit.
  await waitFor("the last line of the output", () => lastLines()[1]?.endsWith("\n") === true);
  expect(lastLines()).toEqual([
    expect.stringMatching(new RegExp(`^1 product read; ${step}(, about [0-9:]+ left)?…$`)),
    expect.stringContaining(summary),
  ]);
});
