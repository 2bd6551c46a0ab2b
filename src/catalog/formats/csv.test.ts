import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Cell, csvLine } from "../../lib/csv-line.ts";
import { isProgramMissing } from "../../lib/testing/requirements.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import { SUMMARY_COLUMNS, SUMMARY_CSV_HEAD, summaryCsvLine } from "./csv.ts";
import { ByteOutput, csvOfSummaries } from "./list-writer.ts";
import { parseCsv } from "./testing/parse-csv.ts";

const cellOf = (cell: Cell) => parseCsv(csvLine([cell]))[0]![0]!;

describe("csvLine", () => {
  test("separates cells by commas, and ends with CRLF", () => {
    expect(csvLine(["a", 7, null, "b"])).toBe("a,7,,b\r\n");
  });

  test.each([
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["two\nlines", '"two\nlines"'],
    ["a\rb", '"a\rb"'],
    ["a;b", '"a;b"'],
    [" a ", '" a "'],
    ["niño", "niño"],
  ])("quotes %j where RFC 4180 or a spreadsheet needs it", (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`);
  });

  test.each([
    "=1+1",
    "+1",
    "-x",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "\nx",
    '=HYPERLINK("x")',
    "＝1",
    "－2+3",
    "\u00a0=1",
    "\ufeff=1",
    "\u200b@x",
    "\u034f=1",
    "\u3164=1",
    "\u2800=1",
    '"=1+1',
    " =1",
  ])("puts an apostrophe before %j, which a spreadsheet takes for a formula", (text) =>
    expect(cellOf(text)).toBe(`'${text}`),
  );

  test.each(["-5", "-5.00", "5.00", "a=b", "'=1"])("leaves %j, which is no formula", (text) =>
    expect(cellOf(text)).toBe(text),
  );

  test.each(["-5.00+1", "-5,00", "-", "--5"])("takes %j for no number", (text) =>
    expect(cellOf(text)).toBe(`'${text}`),
  );

  test("keeps a formula from beginning a cell where another separator is used", () => {
    expect(cellOf("a;=1\n-2\t@x")).toBe("a; =1\n -2\t @x");
    expect(cellOf('a;"=1+1;b')).toBe('a;" =1+1;b');
    expect(cellOf("a,=1;\u00a0\ufeff-2")).toBe("a, =1;\u00a0\ufeff -2");
    expect(cellOf("a; - b, - c")).toBe("a; - b, - c");
  });

  test("takes linear time for texts without ink", () => {
    for (const piece of ["\t", ";", ",\u00a0", '";'])
      expect(cellOf(piece.repeat(200_000)).length).toBeGreaterThanOrEqual(200_000);
  });

  test("joins a list, and marks what belongs to its items", () => {
    expect(cellOf(["a", null, "b | c", "d\\"])).toBe("a |  | b \\| c | d\\\\");
    expect(cellOf([])).toBe("");
    expect(cellOf(["=1", "2"])).toBe("'=1 | 2");
  });

  test("is read back by a strict parser, with no cell that begins as a formula", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[=+\-@\t\r\n;,"' a]*$/));
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { maxLength: 4 }), (rows) => {
        const parsed = parseCsv(rows.map(csvLine).join(""));
        expect(parsed.length).toBe(rows.length);
        for (const [row, cells] of rows.entries()) {
          expect(parsed[row]!.length).toBe(cells.length);
          for (const [column, cell] of parsed[row]!.entries()) {
            expect(/^[=+@\t\r\n]|^-(?![0-9]+(\.[0-9]+)?$)/.test(cell)).toBe(false);
            // Nothing but apostrophes and spaces is added.
            const plain = (written: string) => written.replaceAll(/[' ]/g, "");
            expect(plain(cell)).toBe(plain(cells[column]!));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** What a spreadsheet may leave out before a formula. A space and an apostrophe are what we put there. */
const BEGINS_AS_FORMULA = /^(?:(?![ '])[\p{C}\p{Z}\p{DI}\u2800"])*[=+\-@＝＋－＠](?!$)/u;

test.skipIf(isProgramMissing("python3"))(
  "no cell begins as a formula for Python's csv module with any of three separators (skipped without python3)",
  () => {
    const before = [
      "",
      '"',
      "\u00a0",
      "\ufeff",
      "\u200b",
      '""',
      '"\u00a0',
      "\u2003",
      "'\"",
      "\u0000",
      "\u034f",
      "\u2800",
    ];
    const formulas = ["=1+1", "+1+1", "-1+1", "@SUM(1)", "＝1+1"];
    const places = ["", "a;", "a,", "a\t", "a\n", "a\r\n", '";', '"a";', 'a;b"\n', ";;"];
    const texts = places.flatMap((place) =>
      before.flatMap((gap) => formulas.map((formula) => `${place}${gap}${formula};b`)),
    );
    const script =
      "import csv, io, json, sys\n" +
      "data = sys.stdin.buffer.read().decode('utf-8-sig')\n" +
      "print(json.dumps([list(csv.reader(io.StringIO(data, newline=''), delimiter=d)) for d in ',;\\t']))";
    const csv = texts.map((text) => csvLine(["9789999901116", text, text])).join("");
    const { stdout } = Bun.spawnSync(["python3", "-c", script], { stdin: new TextEncoder().encode(csv) });
    const cells = (JSON.parse(stdout.toString()) as string[][][]).flat(2);
    expect(cells.length).toBeGreaterThan(6 * texts.length);
    expect(cells.filter((cell) => BEGINS_AS_FORMULA.test(cell))).toEqual([]);
  },
);

const SUMMARY: Summary = {
  isbn: "9789999901116",
  isbn10: null,
  title: "=Título",
  subtitle: null,
  collection: null,
  contributors: [
    { name: "Leopoldo Alas", role: "A01", roles: ["A01", "A12"] },
    { name: null, role: "B06", roles: ["B06"] },
  ],
  imprint: "Cátedra",
  publisher: null,
  published: "2024-01-15",
  status: "04",
  form: "BC",
  languages: ["spa", "eng"],
  pages: 320,
  subjects: [{ scheme: "20", code: null, text: "a; b" }],
  audience: [],
  prices: [
    {
      amount: "12.95",
      currency: "EUR",
      type: "04",
      from: null,
      until: null,
      territory: "-ES",
      qualifier: null,
      conditions: [{ type: "10", quantity: "7", unit: "07" }],
      minimumQuantity: 2,
      taxes: [
        { type: "01", rate: "R", percent: "4", taxable: null, amount: "0.50" },
        { type: "03", rate: null, percent: null, taxable: null, amount: "0.10" },
      ],
      constraints: [{ type: "07", status: "02", quantity: "7", unit: "09" }],
      per: "00",
    },
  ],
  availability: "20",
  description: 'Uno.\n"Dos", tres.',
  cover: null,
  updated: null,
  partNumber: "3",
  partTitle: null,
  collectionNumber: null,
  formDetail: ["E101"],
  editionNumber: 2,
  editionTypes: [],
  duration: null,
  markets: [
    { territory: "ES", availability: "20" },
    { territory: null, availability: null },
  ],
  rights: { exclusive: "ES", nonExclusive: null, notForSale: "ROW" },
  workId: null,
};

const bytes = new TextEncoder().encode(JSON.stringify(SUMMARY));

describe("the CSV of summaries", () => {
  test("has a column for every field of a summary, in its order", () => {
    const names = SUMMARY_COLUMNS.map((column) => column.split(".")[0]!);
    expect([...new Set(names)]).toEqual(Object.keys(SUMMARY));
    for (const [name, value] of Object.entries(SUMMARY)) {
      const item = Array.isArray(value) ? value[0] : value;
      if (typeof item !== "object" || item === null) continue;
      const members = SUMMARY_COLUMNS.filter((column) => column.startsWith(`${name}.`));
      expect(members).toEqual(Object.keys(item).map((member) => `${name}.${member}`));
    }
    // Columns that came later stand behind all others.
    expect(SUMMARY_COLUMNS[6]).toBe("contributors.role");
    expect(SUMMARY_COLUMNS[7]).toBe("imprint");
    expect(SUMMARY_COLUMNS.at(-1)).toBe("prices.per");
  });

  test("begins with a byte order mark, so that Excel reads it as UTF-8", () => {
    const output = new ByteOutput();
    csvOfSummaries.begin!(output);
    expect([...output.take().subarray(0, 7)]).toEqual([0xef, 0xbb, 0xbf, ...Buffer.from("isbn")]);
  });

  test("has one row per book, and one cell for each column", () => {
    const [head, row] = parseCsv(SUMMARY_CSV_HEAD + summaryCsvLine(bytes));
    const cells = Object.fromEntries(head!.map((column, index) => [column, row![index]]));
    expect(row).toHaveLength(SUMMARY_COLUMNS.length);
    expect(cells).toMatchObject({
      title: "'=Título",
      isbn10: "",
      "contributors.name": "Leopoldo Alas | ",
      "contributors.role": "A01 | B06",
      languages: "spa | eng",
      pages: "320",
      "subjects.text": "a; b",
      audience: "",
      "prices.amount": "12.95",
      "prices.territory": "'-ES",
      "contributors.roles": "A01, A12 | B06",
      "prices.conditions": "10 7 07",
      "prices.minimumQuantity": "2",
      "prices.taxes": "01 R 4 0.50, 03 0.10",
      "prices.constraints": "07 02 7 09",
      "prices.per": "00",
      formDetail: "E101",
      editionNumber: "2",
      "markets.territory": "ES | ",
      "markets.availability": "20 | ",
      "rights.exclusive": "ES",
      "rights.nonExclusive": "",
      "rights.notForSale": "ROW",
      description: 'Uno.\n"Dos", tres.',
    });
  });

  test.skipIf(isProgramMissing("python3"))(
    "is read by Python's csv module in strict mode (skipped without python3)",
    () => {
      const script =
        "import csv, io, json, sys\n" +
        "text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8-sig', newline='')\n" +
        "print(json.dumps(list(csv.reader(text, strict=True))))";
      const csv = SUMMARY_CSV_HEAD + summaryCsvLine(bytes).repeat(2);
      const { stdout } = Bun.spawnSync(["python3", "-c", script], { stdin: new TextEncoder().encode(csv) });
      expect(JSON.parse(stdout.toString())).toEqual(parseCsv(csv));
    },
  );
});
