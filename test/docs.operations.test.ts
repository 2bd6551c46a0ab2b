/** Holds docs/operations.md against the program: metrics, log events and their fields, exit codes. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "../src/cli/terminal/arguments.ts";
import { type Option, optionsByName } from "../src/cli/terminal/command.ts";
import { commands, loadCommand } from "../src/cli/terminal/commands.ts";
import { helpFor } from "../src/cli/terminal/usage.ts";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import {
  createDatabase,
  isPostgresLeftOut,
  type TestDatabase,
} from "../src/stores/postgres/testing/database.ts";
import { REFUSAL_REASONS, type ServiceEvent } from "../src/telemetry/event.ts";
import { createLog } from "../src/telemetry/log/log.ts";
import { type MetricFamily, parseMetrics } from "../src/telemetry/testing/prometheus-parser.ts";
import { colophon } from "./in-process.ts";
import { SAMPLE, SECRET, startColophon, temporaryFolder } from "./process.ts";

const PAGE = readFileSync(join(import.meta.dir, "../docs/operations.md"), "utf8");
const EXAMPLES = join(import.meta.dir, "../examples");
const RULES = readFileSync(join(EXAMPLES, "alerts.yml"), "utf8");
const DASHBOARD = JSON.parse(readFileSync(join(EXAMPLES, "grafana-dashboard.json"), "utf8"));

/** Returns the rows of the table under a heading whose first cell is code, as lists of cells. */
function rowsUnder(heading: string, table = 0): string[][] {
  const section = PAGE.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  const lines = section.split(/\n(?=\|)(?<!\|\n)/)[table + 1]!.split("\n");
  return lines
    .filter((line) => line.startsWith("| `") || /^\| \d/.test(line))
    .map((line) => line.slice(2, -2).split(" | "));
}

function codesIn(text = ""): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

function dashboardExpressions(): string[] {
  const panels = DASHBOARD.panels as { readonly targets?: readonly { readonly expr: string }[] }[];
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

describe.skipIf(isPostgresLeftOut)("the metrics (skipped by npm test)", () => {
  const folder = temporaryFolder();
  let database: TestDatabase;
  const scraped = new Map<string, MetricFamily>();
  let text = "";

  beforeAll(async () => {
    database = await createDatabase();
    const watched = join(folder, "feeds");
    mkdirSync(watched);
    for (const [db, workers] of [
      [join(folder, "catalog.db"), "2"],
      [database.url, "1"],
    ] as const) {
      expect(await colophon(["import", "--db", db, SAMPLE])).toMatchObject({ code: 0 });
      await colophon(["backup", "--db", db, join(folder, `backup-${workers}.db`)]);
      const backups = ["--backups", folder];
      const options = ["--workers", workers, "--admin-port", "0", "--log", "none", "--watch", watched];
      const service = await startColophon(["--db", db, ...options, ...backups], SECRET);
      await (await fetch(`${service.url}/openapi.html`)).bytes();
      await waitFor("the folder is watched", async () => {
        text = await (await fetch(`${service.adminUrl}/metrics`)).text();
        return text.includes("colophon_watch_up 1");
      });
      for (const [name, family] of parseMetrics(text)) scraped.set(name, family);
      expect(await service.stop()).toBe(0);
    }
  });
  afterAll(() => database[Symbol.asyncDispose]());

  test("of a server are those of the table, with their types and labels", () => {
    const documented = rowsUnder("Metrics").map(([name = "", type = "", labels = ""]) => {
      return { name: codesIn(name)[0]!, type, labels: codesIn(labels).sort() };
    });
    const found = [...scraped].map(([name, { type, samples }]) => {
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
      labels.delete("le");
      return { name, type, labels: [...labels].sort() };
    });
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(found.sort(byName)).toEqual(documented.sort(byName));
  });

  test("have label values that the table names", () => {
    const rows = new Map(
      rowsUnder("Metrics").map(([name = "", , , meaning = ""]) => [codesIn(name)[0], codesIn(meaning)]),
    );
    for (const label of ["reason", "outcome", "result"]) {
      for (const [name, { samples }] of scraped) {
        const values = samples.flatMap(({ labels }) => labels[label] ?? []);
        expect(rows.get(name)).toEqual(expect.arrayContaining(values));
      }
    }
  });

  test("of the example rules exist", () => {
    const names = RULES.match(/\b(?:colophon|process)_\w+/g)!.map((name) => name.replace(/_bucket$/, ""));
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !scraped.has(name))).toEqual([]);
  });

  test.skipIf(isProgramMissing("promtool"))(
    "and the example rules are right for promtool (skipped without it)",
    () => {
      const metrics = Bun.spawnSync(["promtool", "check", "metrics"], { stdin: Buffer.from(text) });
      expect([metrics.exitCode, metrics.stderr.toString()]).toEqual([0, ""]);
      for (const args of [
        ["check", "rules", "alerts.yml"],
        ["test", "rules", "alerts.test.yml"],
      ]) {
        const rules = Bun.spawnSync(["promtool", ...args], { cwd: EXAMPLES });
        expect([rules.exitCode, rules.stderr.toString()]).toEqual([0, ""]);
      }
    },
  );

  test("of the dashboard exist, with the labels that it uses", () => {
    const expressions = dashboardExpressions();
    expect(expressions.length).toBeGreaterThan(30);
    for (const expression of expressions) {
      const names = expression.match(/\b(?:colophon|process)_\w+/g)!;
      const families = names.map((name) => scraped.get(name.replace(/_bucket$/, "")));
      expect([expression, families.includes(undefined)]).toEqual([expression, false]);
      const known = new Set(
        families.flatMap((family) => family!.samples.flatMap(({ labels }) => Object.keys(labels))),
      );
      // Prometheus adds the job itself.
      const used = [...expression.matchAll(/by \((\w+)\)|[{,](\w+)=/g)].map(([, by, label]) => by ?? label!);
      for (const label of used.filter((each) => each !== "job")) {
        expect([expression, label, known.has(label)]).toEqual([expression, label, true]);
      }
    }
  });

  test.skipIf(isProgramMissing("promtool"))(
    "of the dashboard are in expressions that promtool accepts (skipped without it)",
    () => {
      const rules = dashboardExpressions().map((expression, index) => ({
        record: `dashboard:panel:${index}`,
        expr: expression.replaceAll("$__rate_interval", "5m").replaceAll("$job", "colophon"),
      }));
      const path = join(folder, "dashboard.yml");
      // JSON is YAML.
      writeFileSync(path, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
      const { exitCode, stderr } = Bun.spawnSync(["promtool", "check", "rules", path]);
      expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    },
  );
});

describe("the log", () => {
  const request = { id: "1", client: "192.0.2.7", method: "GET", path: "/", route: "page" };
  const sent = {
    status: 200,
    bodyBytes: 1,
    seconds: 1,
    firstByteSeconds: 1,
    cacheHit: false,
    complete: true,
  };
  /** Every kind of event, with and without the members that it can lack. */
  const EVENTS: Record<ServiceEvent["kind"], ServiceEvent[]> = {
    request: [
      { kind: "request", ...request, ...sent, caller: { id: "1", name: "Bookshop" } },
      { kind: "request", ...request, ...sent, caller: undefined },
    ],
    failed: [{ kind: "failed", ...request, error: "x" }],
    fault: [{ kind: "fault", error: "x" }],
    started: [{ kind: "started", url: "http://127.0.0.1:1", version: "1", workers: 2, books: 1 }],
    stopping: [{ kind: "stopping", reason: "SIGTERM" }],
    stopped: [{ kind: "stopped", seconds: 1, cutConnections: 1 }],
    keys: [
      { kind: "keys", outcome: "changed", reason: "demand" },
      { kind: "keys", outcome: "failed", reason: "time", error: "x", remainingMs: 1 },
    ],
    catalog: [
      { kind: "catalog", state: "lost", reason: "x" },
      { kind: "catalog", state: "opened", path: "/x" },
    ],
    worker: [
      { kind: "worker", state: "died", pid: 1, reason: "exit 1" },
      { kind: "worker", state: "replaced", pid: 1 },
    ],
    feed: [
      { kind: "feed", outcome: "refused", feed: "a.xml", reason: "x", movedTo: "refused/a.xml" },
      { kind: "feed", outcome: "changed", feed: "a.xml", sender: "A", products: 1, rejected: 0, seconds: 1 },
    ],
    watch: [
      { kind: "watch", state: "watched", folder: "/x" },
      { kind: "watch", state: "blocked", folder: "/x", reason: "x" },
    ],
    hook: [{ kind: "hook", feed: "a.xml", reason: "x" }],
    backlog: [{ kind: "backlog", feeds: 1, oldestSeconds: 1 }],
    refused: [
      { kind: "refused", reason: "not-http", client: "192.0.2.7", id: "1" },
      { kind: "refused", reason: "not-http", client: "192.0.2.7", id: "2" },
      { kind: "refused", reason: "descriptors", client: "192.0.2.7" },
    ],
    store: [{ kind: "store", seconds: 1 }],
  };

  /** Returns the fields of each event: those of all its lines, and in parentheses those of some. */
  async function loggedFields(): Promise<Record<string, string[]>> {
    let written = "";
    const write = async (events: readonly ServiceEvent[], maxBufferedChars?: number) => {
      const sink = async (chunk: Buffer) => {
        written += chunk.toString();
      };
      const log = createLog({ level: "requests", format: "json", maxBufferedChars, sink });
      for (const event of events) log.observe(event);
      await log.close();
    };
    await write(Object.values(EVENTS).flat());
    // Provokes the event "dropped".
    await write(Array(100).fill(EVENTS.request[0]), 10_000);
    const lines = written.split("\n").slice(0, -1);
    const byEvent = Map.groupBy(
      lines.map((line) => JSON.parse(line) as Record<string, unknown>),
      ({ event }) => event as string,
    );
    return Object.fromEntries(
      [...byEvent].map(([event, objects]) => {
        const all = new Set(objects.flatMap((object) => Object.keys(object)));
        const fields = [...all].filter((field) => field !== "time" && field !== "event");
        const isOnAll = (field: string) => objects.every((object) => field in object);
        return [event, fields.map((field) => (isOnAll(field) ? field : `(${field})`)).sort()];
      }),
    );
  }

  test("has the events and the fields of the table", async () => {
    const documented = rowsUnder("Log").map(([event = "", fields = ""]) => [
      codesIn(event)[0]!,
      fields.replaceAll("`", "").split(", ").sort(),
    ]);
    expect(await loggedFields()).toEqual(Object.fromEntries(documented));
  });

  test("has no field without a meaning in the table, and no reason of a refusal", async () => {
    const explained = rowsUnder("Log", 1).map(
      ([names = "", meaning = ""]) => [codesIn(names), meaning] as const,
    );
    const fields = new Set(
      Object.values(await loggedFields())
        .flat()
        .map((field) => field.replace(/[()]/g, "")),
    );
    expect(explained.flatMap(([names]) => names).sort()).toEqual([...fields].sort());
    const [, meaning] = explained.find(([names]) => names.includes("reason"))!;
    expect(codesIn(meaning)).toEqual(expect.arrayContaining([...REFUSAL_REASONS]));
  });
});

describe("the settings in the environment", () => {
  const withoutVariable = new Map(
    rowsUnder("Settings in the environment").map(([command = "", options]) => [
      codesIn(command)[0]!,
      codesIn(options).sort(),
    ]),
  );
  /** Returns the declared options of a command: all, and those that no variable can set. */
  async function declaredOptions(name: string): Promise<{ all: string[]; withoutVariable: string[] }> {
    const { forms } = (await loadCommand(name))!;
    const options = Object.entries<Option<unknown>>(
      Object.assign({}, ...forms.map((form) => optionsByName(form.options))),
    );
    const namesOf = (entries: typeof options) => entries.map(([option]) => `--${option}`).sort();
    const hasNone = ([, { variable }]: [string, Option<unknown>]) => variable !== true;
    return { all: namesOf(options), withoutVariable: namesOf(options.filter(hasNone)) };
  }

  test("are all options but those of the table, for every command", async () => {
    expect(Object.keys(commands)).toEqual(expect.arrayContaining([...withoutVariable.keys()]));
    for (const command of Object.keys(commands)) {
      const declared = await declaredOptions(command);
      expect([command, declared.withoutVariable]).toEqual([command, withoutVariable.get(command) ?? []]);
    }
  });

  test("of serve are all explained under Settings", async () => {
    const explained = rowsUnder("Settings").flatMap((cells) => codesIn(cells.slice(0, 2).join(" ")));
    const options = explained.filter((name) => name.startsWith("--"));
    expect([...new Set(options)].sort()).toEqual((await declaredOptions("serve")).all);
  });

  test("are options that the help of their command names", async () => {
    for (const name of Object.keys(commands)) {
      const [usage = ""] = (await helpFor(name)).split("Examples:");
      const named = new Set(usage.match(/--[a-z-]+/g));
      expect([name, [...named].sort()]).toEqual([name, (await declaredOptions(name)).all]);
    }
  });
});

test("the exit codes are those of the table", () => {
  const documented = rowsUnder("Exit codes").map(([code]) => Number(code));
  expect(documented).toEqual(Object.values(EXIT));
});
