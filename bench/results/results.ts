/** Collects the rows of a run, step by step, and writes them to docs/. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { cpuTicks, stolenShareSince } from "../measure.ts";
import { colophonMemory } from "../processes.ts";
import { warnings } from "../servers/colophon.ts";
import type { CatalogFiles, ServerUnderTest, StartServer } from "../servers/server.ts";
import {
  isGoalReached,
  PROMISED_ROWS,
  type PromisedRow,
  promised,
  type ResultRow,
  rowsNotMeasured,
} from "./rows.ts";
import { asItComesTable, resultsTable, tuningTable } from "./tables.ts";

export class Table {
  /** The servers and steps that could not be measured, with the reasons, and other doubts. */
  readonly notes: string[] = [];
  #rows: ResultRow[] = [];
  readonly #failed = new Map<PromisedRow, string>();

  /** Runs a step. A failure is noted, and the other steps go on: a run takes long. */
  async step(subject: string, promises: readonly PromisedRow[], measure: () => Promise<void>): Promise<void> {
    colophonMemory.subject = subject;
    const first = this.#rows.length;
    const before = cpuTicks();
    try {
      await measure();
    } catch (error) {
      const { message } = error as Error;
      this.notes.push(`${subject}: ${message}`);
      console.error(`${subject}: ${message}`);
      for (const promise of promises) this.#failed.set(promise, message);
    }
    this.notes.push(...warnings.splice(0));
    const stolenShare = stolenShareSince(before);
    this.#rows = this.#rows.map((row, index) => (index < first ? row : { ...row, stolenShare }));
  }

  add(row: ResultRow): void {
    this.#rows.push(row);
    console.error(resultsTable([row]).split("\n").at(-1));
  }

  /** Adds a row with the goal of its promise. */
  keep(promise: PromisedRow, row: ResultRow): void {
    this.add(promised(promise, row));
  }

  /** Returns all rows. The promised ones come first, in the order of the promises. */
  get rows(): ResultRow[] {
    const reasonFor = (promise: PromisedRow) => this.#failed.get(promise) ?? "not part of this run";
    const all = [...this.#rows, ...rowsNotMeasured(this.#rows, reasonFor)];
    const order = Object.keys(PROMISED_ROWS);
    const inOrder = all
      .filter(({ promise }) => promise !== undefined)
      .sort((a, b) => order.indexOf(a.promise!) - order.indexOf(b.promise!));
    return [...inOrder, ...all.filter(({ promise }) => promise === undefined)];
  }

  /**
   * Starts the servers, measures them, and stops them. The first one is Colophon and must start.
   * For each other server that does not start, the reason is noted.
   */
  async withServers<T>(
    catalog: CatalogFiles,
    starts: readonly StartServer[],
    cores: string,
    measure: (servers: readonly ServerUnderTest[]) => Promise<T>,
  ): Promise<T> {
    const servers: ServerUnderTest[] = [];
    try {
      for (const start of starts) {
        try {
          servers.push(await start(catalog, cores));
        } catch (error) {
          if (servers.length === 0) throw error;
          this.notes.push(`${start.name || "server"} with ${catalog.records}: ${(error as Error).message}`);
        }
      }
      return await measure(servers);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
}

export interface Results {
  readonly date: string;
  readonly machine: string;
  /** The numbers of records of the catalogs. */
  readonly sizes: readonly number[];
  readonly rows: readonly ResultRow[];
  readonly notes: readonly string[];
}

/** Returns the number of cores, and their model where the system knows it. */
export function describeMachine(): string {
  const model = cpus()[0]!.model;
  return `${cpus().length} cores${model === "unknown" ? "" : ` of ${model}`}`;
}

/** Writes performance.json, performance.svg, and the sections of performance.md where the page exists. */
export function writeResults(folder: string, results: Results): void {
  const { date, machine, rows, notes } = results;
  writeFileSync(join(folder, "performance.json"), rowJson(results));
  writeFileSync(join(folder, "performance.svg"), drawChart(rows, date));
  const note = notes.length > 0 ? ` Notes: ${notes.join("; ")}.` : "";
  const section = `Measured on ${date}, ${machine}.${note}\n\n${resultsTable(rows)}\n`;
  const page = join(folder, "performance.md");
  replaceSection(page, "as it comes", `${asItComesTable(rows)}\n`);
  replaceSection(page, "tuning", `${tuningTable(rows)}\n`);
  replaceSection(page, "table", section);
}

/** Returns JSON with a line for each row of a list and each member of an object, so that a difference can be read. */
export function rowJson(value: object): string {
  const rowsOf = (list: readonly unknown[]) =>
    list.length === 0 ? "[]" : `[\n${list.map((row) => ` ${JSON.stringify(row)}`).join(",\n")}\n]`;
  if (Array.isArray(value)) return `${rowsOf(value)}\n`;
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${JSON.stringify(name)}: ${Array.isArray(member) ? rowsOf(member) : JSON.stringify(member)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. Does nothing without the page. */
export function replaceSection(page: string, name: string, section: string): void {
  if (!existsSync(page)) return;
  const marked = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- /${name} -->)`);
  const text = readFileSync(page, "utf8");
  if (!marked.test(text)) throw new Error(`${page} has no section "${name}"`);
  writeFileSync(
    page,
    text.replace(marked, (_, start, end) => `${start}${section}${end}`),
  );
}

const WIDTH = 860;
const LABEL_WIDTH = 400;
const MAX_LABEL_CHARACTERS = 58;
const LINE_HEIGHT = 26;
/** The length of a bar that reaches its goal exactly. */
const GOAL_LENGTH = 180;
const MAX_SHARE = 2.2;

/** Draws each ratio as a bar relative to its goal. Bars that cross the goal line have reached it. */
function drawChart(rows: readonly ResultRow[], date: string): string {
  const drawn = rows.filter((row) => row.ratio && row.goal);
  const height = 60 + drawn.length * LINE_HEIGHT;
  const bars = drawn.map((row, index) => drawBar(row, 44 + index * LINE_HEIGHT)).join("\n");
  const goalX = LABEL_WIDTH + GOAL_LENGTH;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>Colophon against its goals, ${date}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="12" y="22" font-size="15" font-weight="600">Colophon against its goals, ${date}</text>
<text x="${goalX}" y="22" text-anchor="middle" fill="#555">goal</text>
${bars}
<line x1="${goalX}" x2="${goalX}" y1="30" y2="${height - 14}" stroke="#333" stroke-dasharray="3 3"/>
</svg>
`;
}

function drawBar(row: ResultRow, y: number): string {
  const { ratio, goal } = row;
  const share = "atLeast" in goal! ? ratio!.value / goal.atLeast : goal!.atMost / ratio!.value;
  const width = Math.max(2, Math.min(share, MAX_SHARE) * GOAL_LENGTH);
  const colour = isGoalReached(row) ? "#2f7d4f" : "#b4552d";
  const label = labelOf(row).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="12" y="${y + 13}">${label}</text>
<rect x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="18" rx="2" fill="${colour}"/>
<text x="${LABEL_WIDTH + 6}" y="${y + 13}" fill="#fff">${ratio!.value.toFixed(2)}</text>`;
}

/** A promised row has a short name. Others are cut. */
function labelOf({ name, promise }: ResultRow): string {
  const label = promise === undefined ? name.replace(/ \(.*/, "") : PROMISED_ROWS[promise].what;
  return label.length <= MAX_LABEL_CHARACTERS ? label : `${label.slice(0, MAX_LABEL_CHARACTERS - 1)}…`;
}
