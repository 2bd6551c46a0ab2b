/** Export and API give the same bytes in every format, and what they give can be imported again. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeChangeCursor, encodeChangeCursor } from "../src/api/changes/cursor.ts";
import { parseCsv } from "../src/catalog/formats/testing/parse-csv.ts";
import { isProgramMissing, sharedFile } from "../src/lib/testing/requirements.ts";
import type { Isbn13 } from "../src/onix/isbn.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { duringTests } from "./during-tests.ts";
import { colophon } from "./in-process.ts";
import { fetchAs, runProgram, startWithSample, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);
const db = pathOf("catalog.db");
const IMPRINT = "ancla-azul";

const server = duringTests(() => startWithSample(db));

/** By their options. The catalog stays the same. */
const exports = new Map<string, Promise<string>>();

function exported(...args: string[]): Promise<string> {
  const key = args.join(" ");
  return exports.get(key) ?? exports.set(key, exportNow(args)).get(key)!;
}

async function exportNow(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await colophon(["export", "--db", db, ...args]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** Returns the body without its byte order mark, as `exported` does. */
async function served(path: string): Promise<string> {
  const response = await fetchAs(server.token, server.url + path);
  expect([path, response.status]).toEqual([path, 200]);
  return await response.text();
}

describe("colophon export", () => {
  test.each([
    ["format=ndjson&language=spa", ["--language", "spa"]],
    ["format=ndjson&view=summary", ["--view", "summary"]],
    ["format=csv", ["--format", "csv"]],
    ["format=xml&shorttags=true", ["--format", "xml", "--short-tags"]],
  ])("gives the bytes of /api/imprint with %s", async (query, args) => {
    const body = await served(`/api/imprint/${IMPRINT}?${query}`);
    expect(body.length).toBeGreaterThan(1000);
    expect(await exported("--imprint", IMPRINT, ...args)).toBe(body);
  });

  test("gives the array of the API, and a line feed, as JSON", async () => {
    const array = await served(`/api/imprint/${IMPRINT}`);
    expect(await exported("--format", "json", "--imprint", "Ancla Azul")).toBe(`${array}\n`);
    expect(await exported("--format", "json", "--from", "99990101")).toBe("[]\n");
  });

  test("gives the books of the ISBNs, in their order and each once", async () => {
    const isbns: string[] = JSON.parse(await served("/api/skus"));
    const [first, second, third] = [isbns[3]!, isbns[7]!, isbns[100]!];
    const text = await exported("--isbn", `${third},${first}`, "--isbn", second, "--isbn", first);
    const lines = text.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).RecordReference)).toEqual([first, second, third]);
  });

  test("gives the books that were published from one day to another", async () => {
    const summaries = (await exported("--view", "summary"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const inYears = summaries.filter(
      ({ published }) => published >= "2010-01-01" && published <= "2019-12-31",
    );
    expect(inYears.length).toBeGreaterThan(5);
    const rows = parseCsv(await exported("--format", "csv", "--from", "2010-01-01", "--to", "20191231"));
    expect(rows.slice(1).map(([isbn]) => isbn)).toEqual(inYears.map(({ isbn }) => isbn));
  });

  test("gives with --since the books that were added or updated since the last export", async () => {
    const other = pathOf("since.db");
    const feed = (...isbns: string[]) => message(...isbns.map((isbn) => product({ isbn })));
    const run = async (since: string) => {
      const { stdout, stderr } = await colophon(["export", "--db", other, "--since", since]);
      const isbns = stdout.split("\n").flatMap((line) => (line ? [JSON.parse(line).RecordReference] : []));
      return { isbns, next: /^Next time: --since (\S+)\n$/.exec(stderr)![1]! };
    };
    const [a, b] = ["9788437604947", "9780199632091"];
    await colophon(["import", "--db", other, "-"], { stdin: feed(a!) });
    const first = await run("0");
    expect(first.isbns).toEqual([a]);
    expect((await run(first.next)).isbns).toEqual([]);
    await colophon(["import", "--db", other, "-"], { stdin: feed(b!) });
    expect((await run(first.next)).isbns).toEqual([b]);
    expect((await run("0")).isbns).toEqual([a, b]);
    const { code } = await colophon(["export", "--db", db, "--since", first.next]);
    expect(code).toBe(1);
  });

  test("takes a cursor that begins with a hyphen after --since", async () => {
    const { stderr } = await colophon(["export", "--db", db, "--since", "0"]);
    const cursor = decodeChangeCursor(/--since (\S+)/.exec(stderr)![1]!)!;
    // Each place in the last import has a cursor of its own. One of 64 begins with a hyphen.
    const cursors = Array.from({ length: 1000 }, (_, index) => {
      const isbn = `9789999${String(index).padStart(6, "0")}` as Isbn13;
      return encodeChangeCursor({ ...cursor, after: { ...cursor.after, isbn } });
    });
    const hyphenated = cursors.find((each) => each.startsWith("-"))!;
    const { code, stdout } = await colophon(["export", "--since", hyphenated, "--db", db]);
    expect([code, stdout.startsWith("{")]).toEqual([0, true]);
  });

  test("exits with 1 for a book or an imprint that the catalog does not have", async () => {
    for (const [option, value] of [
      ["--isbn", "9789999999991"],
      ["--imprint", "unknown"],
    ]) {
      const { code, stdout, stderr } = await colophon(["export", "--db", db, option!, value!]);
      expect([code, stdout, stderr.includes(value!)]).toEqual([1, "", true]);
    }
  });

  test.each([
    [["xml"], []],
    [
      ["xml", "--short-tags"],
      ["--imprint", IMPRINT],
    ],
    [
      ["onix", "--short-tags"],
      ["--imprint", IMPRINT],
    ],
  ])("gives with --format %j a message that is imported as the same records", async (args, books) => {
    const copy = pathOf(`copy${args.join("")}.db`);
    const stdin = await exported("--format", ...args, ...books);
    expect((await colophon(["import", "--db", copy, "-"], { stdin })).code).toBe(0);
    expect((await colophon(["export", "--db", copy])).stdout).toBe(await exported(...books));
  });

  const schemas = sharedFile("onix/schemas/3.1/ONIX_BookProduct_3.1_reference.xsd");
  const isSkipped = schemas.missing || isProgramMissing("xmllint");
  test.skipIf(isSkipped)(
    "gives valid messages of ONIX 3.1 (skipped without ../shared or xmllint)",
    async () => {
      for (const tags of ["reference", "short"]) {
        const file = pathOf(`${tags}.xml`);
        writeFileSync(file, await exported("--format", "xml", ...(tags === "short" ? ["--short-tags"] : [])));
        const schema = schemas.path.replace("reference", tags);
        const validation = await runProgram(["xmllint", "--noout", "--nonet", "--schema", schema, file]);
        expect(validation).toEqual({ code: 0, stdout: "", stderr: `${file} validates\n` });
      }
    },
  );
});

describe("CSV of the whole sample", () => {
  test("has a row for every book, and the values of its summary", async () => {
    const [head, ...rows] = parseCsv(await exported("--format", "csv"));
    const summaries = (await exported("--view", "summary"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(summaries.length);
    for (const [index, summary] of summaries.entries()) {
      for (const [column, name] of head!.entries()) {
        const [field, member] = name.split(".") as [string, string | undefined];
        const value = summary[field];
        const items = [value ?? []].flat().map((item) => textOf(member ? item[member] : item));
        expect([name, plainText(rows[index]![column]!)]).toEqual([name, items.join(" | ")]);
      }
    }
  });

  function textOf(value: unknown): string {
    if (Array.isArray(value)) return value.map(textOf).join(", ");
    if (typeof value !== "object") return String(value ?? "");
    return Object.values(value ?? {})
      .filter((member) => member !== null)
      .join(" ");
  }

  /** Undoes what makes a cell harmless for spreadsheets. The sample has no separator within an item. */
  function plainText(cell: string): string {
    return cell.replace(/^'(?=[=+\-@])/, "").replaceAll(/([;\t\n]) (?=[=+\-@])/g, "$1");
  }
});
