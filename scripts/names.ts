/**
 * `npm run names` writes docs/names.md: every public name, from the declarations of the code. `test/names.test.ts` fails
 * when a name leaves the page, or is not in it yet.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ERRORS, TOO_MANY_TO_SORT } from "../src/api/errors.ts";
import { openApiDocument } from "../src/api/openapi/document.ts";
import { SUMMARY_COLUMNS } from "../src/catalog/formats/csv.ts";
import { COMPLAINT_KINDS } from "../src/catalog/report.ts";
import { QUERY_PROBLEMS } from "../src/catalog/search/query-parser.ts";
import { SEARCH_RULES } from "../src/catalog/search/search-document.ts";
import { EXIT } from "../src/cli/terminal/arguments.ts";
import { type Option, OTHER_VARIABLES, optionsByName, variableOf } from "../src/cli/terminal/command.ts";
import { commands, loadCommand } from "../src/cli/terminal/commands.ts";
import * as client from "../src/client/index.ts";
import { SUMMARY_RULES } from "../src/onix/summary/summary.ts";
import { formatNumber } from "../src/stores/format.ts";
import * as postgres from "../src/stores/postgres/schema.ts";
import * as sqlite from "../src/stores/sqlite/schema.ts";
import { METRICS } from "../src/telemetry/metric-table.ts";

export const NAMES_PATH = join(import.meta.dir, "../docs/names.md");

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly headers: object; readonly schemas: Readonly<Record<string, Schema>> };
}

/** The files beside a catalog `catalog.db`. */
const FILES = ["-wal", "-shm", "-owner", ".tokens", ".secret", ".reserve"].map((end) => `catalog.db${end}`);

/** Returns the page. Each section has one line per group of names. */
export async function namesPage(): Promise<string> {
  const api = openApiDocument({ version: "", codeListIssue: 0 }) as unknown as ApiDocument;
  const operations = Object.entries(api.paths).map(([path, { get }]) => ({ path, ...get }));
  const headers = new Set([
    // A component of the document describes a header of errors again, under a name that is never sent.
    ...Object.keys(api.components.headers).filter((name) => !name.endsWith("-Of-Error")),
    ...operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((response) => Object.keys(response.headers ?? {})),
    ),
  ]);
  const sections: Readonly<Record<string, readonly string[]>> = {
    "Paths and parameters": operations.map(({ path, operationId, parameters = [] }) =>
      line(
        `\`${path}\` (${operationId})`,
        parameters.map(({ name }) => name),
      ),
    ),
    "Response headers": [line("", [...headers].sort())],
    "Members of responses": Object.entries(api.components.schemas)
      .slice(0, Object.keys(api.components.schemas).indexOf("Problem") + 1)
      .filter(([name]) => name !== "Translations")
      .map(([name, schema]) => ({ name, members: membersOf(schema) }))
      .map(memberLine),
    "CSV columns": [line("", SUMMARY_COLUMNS.map(String))],
    "Messages of errors": [
      line(
        "",
        [...new Set(Object.values(ERRORS).map(({ status, message }) => `${status} ${message}`))].sort(),
      ),
    ],
    "Codes of queries": [line("", [...QUERY_PROBLEMS, TOO_MANY_TO_SORT])],
    "Kinds of complaints": [line("", COMPLAINT_KINDS)],
    "The client": clientLines(),
    "Commands and options": await commandLines(),
    "Variables of the environment": [line("", await variables())],
    "Exit codes": [
      line(
        "",
        Object.entries(EXIT).map(([name, code]) => `${code} ${name}`),
      ),
    ],
    Metrics: [line("", Object.keys(METRICS))],
    Files: [line("", ["catalog.db", ...FILES])],
    "Formats of catalogs": formatLines(),
  };
  const body = Object.entries(sections).map(([title, lines]) => `## ${title}\n\n${lines.join("\n")}\n`);
  return `${HEAD}\n${body.join("\n")}`;
}

const HEAD = `# Public names

Every name that programs can depend on, made from the code by \`npm run names\`. [Stability](contract.md#12-stability) says what a version may change. The members of a record are those of ONIX ([record.md](record.md)), and the categories of \`/api/translations\` are its code lists. The tables of a released format never change: another digest needs another number.

Parameters and members are written \`likeThis\`; options, codes and kinds \`like-this\`; variables \`LIKE_THIS\`; metrics \`like_this\`, with their unit at the end. What looks different has a reason:

- \`shorttags\` is the attribute of an ONIX message in one word, and \`--short-tags\` is an option.
- \`audience\` and \`formDetail\` are lists under the singular names of ONIX. \`duration\` is in minutes.
- \`since\` of \`/api/changes\` is no \`cursor\`: a mirror keeps it for months, and a cursor leads through the pages of one list.
- \`date\` of \`/api/news\`, \`_id\` and \`skus\` are names of the specification. Other days are \`from\` and \`to\`.
- \`from\` and \`until\` of a price are the words of ONIX (list 173); \`below\` is not part of its range.
- \`count\` of a facet is that of the books \`counted\`; \`books\` elsewhere is exact.
- \`PORT\` and \`HOST\` are what platforms set.
`;

function line(group: string, names: readonly string[]): string {
  const list = names.map((name) => `\`${name}\``).join(", ");
  return `- ${[group, list].filter((part) => part !== "").join(": ")}`;
}

/** Returns the exports of `colophon/client` without the generated types, which are the members above. */
function clientLines(): string[] {
  const source = readFileSync(join(import.meta.dir, "../src/client/index.ts"), "utf8");
  const types = [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, isType, names]) =>
    names!
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && (isType || name.startsWith("type ")))
      .map((name) => name.replace("type ", "")),
  );
  const methods = Object.getOwnPropertyNames(client.Colophon.prototype).filter(
    (name) => name !== "constructor",
  );
  return [line("values", Object.keys(client)), line("types", types.sort()), line("`Colophon`", methods)];
}

interface Component {
  readonly name: string;
  readonly members: readonly string[];
}

/** Returns the line of a component. One that has all members of an earlier one names only the others. */
function memberLine({ name, members }: Component, index: number, all: readonly Component[]): string {
  const base = all.slice(0, index).find((each) => each.members.every((member) => members.includes(member)));
  if (!base?.members.length) return line(name, members);
  return line(
    `${name}, with all of ${base.name}`,
    members.filter((member) => !base.members.includes(member)),
  );
}

/**
 * Returns the paths of members, such as `prices.amount`. References to other schemas end a path. `facets.*.total` is a
 * member of all members of `facets`.
 */
function membersOf(schema: Schema, prefix = ""): string[] {
  const own = Object.entries(schema.properties ?? {});
  const [first, ...rest] = own.map(([, member]) => membersOf(member).join());
  const isAlike = Boolean(first) && rest.length > 0 && rest.every((each) => each === first);
  const names = isAlike
    ? [...own.map(([name]) => prefix + name), ...membersOf(own[0]![1], `${prefix}*.`)]
    : own.flatMap(([name, member]) => [prefix + name, ...membersOf(member, `${prefix}${name}.`)]);
  const { items = [], anyOf = [], oneOf = [], allOf = [] } = schema;
  const inner = [items, anyOf, oneOf, allOf].flat().flatMap((each) => membersOf(each, prefix));
  return [...new Set([...names, ...inner])];
}

/**
 * Returns the number of each format, with a digest of its tables and of the rules that stored values follow. Comments and
 * spaces do not count.
 */
function formatLines(): string[] {
  const formats = { SQLite: sqlite.CATALOG, "token registry": sqlite.TOKENS, PostgreSQL: postgres.CATALOG };
  return Object.entries(formats).map(([name, format]) => {
    const text = format.schema.replace(/--.*/g, "").replace(/\s+/g, " ");
    const rules = format === sqlite.TOKENS ? [] : [SUMMARY_RULES, SEARCH_RULES];
    const digest = new Bun.CryptoHasher("sha256").update([text, ...rules].join("\n")).digest("hex");
    return line(name, [`${formatNumber(format)} ${digest.slice(0, 16)}`]);
  });
}

/** Calls `visit` for each form of each command, with its options by their names. */
async function eachForm<T>(visit: (form: string, options: Readonly<Record<string, Option<unknown>>>) => T) {
  const results: T[] = [];
  for (const name of Object.keys(commands)) {
    for (const form of (await loadCommand(name))!.forms) {
      const words = [name, form.name].filter((word) => word !== undefined);
      results.push(visit(words.join(" "), optionsByName(form.options)));
    }
  }
  return results;
}

function commandLines(): Promise<string[]> {
  return eachForm((form, options) =>
    line(
      `\`colophon ${form}\``,
      Object.keys(options).map((name) => `--${name}`),
    ),
  );
}

/** Returns the variables of options, and those that are read by their name. */
async function variables(): Promise<string[]> {
  const ofOptions = await eachForm((_, options) =>
    Object.entries(options).flatMap(([name, { variable, otherVariable = [] }]) =>
      [variable ? variableOf(name) : [], otherVariable].flat(),
    ),
  );
  return [...new Set([...ofOptions.flat(), ...OTHER_VARIABLES])].sort();
}

if (import.meta.main) writeFileSync(NAMES_PATH, await namesPage());
