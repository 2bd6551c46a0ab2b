import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { growthOf, MAX_LINEAR_GROWTH } from "../../lib/testing/cpu-time.ts";
import { elementByTag } from "../../onix/element-table.ts";
import { isSingleOrArray, type RecordFields, type RecordValue } from "../../onix/record/record-fields.ts";
import { readFeed } from "../testing/import-feeds.ts";
import { KEY_FIELDS } from "./match-elements.ts";
import { diffRecords } from "./record-diff.ts";
import { applyChanges } from "./testing/apply-changes.ts";

const price = (type: string, currency: string, amount: string): RecordFields => ({
  PriceType: type,
  PriceAmount: amount,
  CurrencyCode: currency,
});
const supply = (...prices: RecordFields[]): RecordFields => ({
  ProductSupply: [{ SupplyDetail: [{ ProductAvailability: "21", Price: prices }] }],
});
const PRICES = "ProductSupply[0].SupplyDetail[0].Price";

describe("diffRecords", () => {
  test("returns the path, the old and the new value of a changed price", () => {
    const changes = diffRecords(supply(price("02", "EUR", "9.90")), supply(price("02", "EUR", "10.90")));
    expect(changes).toEqual([{ path: `${PRICES}[0].PriceAmount`, old: "9.90", new: "10.90" }]);
  });

  test("returns one added element for a price that is inserted before others that change", () => {
    const before = supply(price("02", "EUR", "9.90"), price("02", "USD", "12.00"));
    const after = supply(price("01", "GBP", "8.00"), price("02", "EUR", "9.90"), price("02", "USD", "13.00"));
    expect(diffRecords(before, after)).toEqual([
      { path: `${PRICES}[0]`, new: price("01", "GBP", "8.00") },
      { path: `${PRICES}[2].PriceAmount`, old: "12.00", new: "13.00" },
    ]);
  });

  test("returns a removed and an added element for a price in another currency", () => {
    const changes = diffRecords(supply(price("02", "EUR", "9.90")), supply(price("02", "USD", "9.90")));
    expect(changes).toEqual([
      { path: `${PRICES}[0]`, old: price("02", "EUR", "9.90") },
      { path: `${PRICES}[0]`, new: price("02", "USD", "9.90") },
    ]);
  });

  test("returns the path of a removed field in the old record, of a changed one in the new record", () => {
    const before = {
      TextContent: [
        { TextType: "02", Text: "a" },
        { TextType: "03", Text: "b", Extra: "x" },
      ],
    };
    const after = { TextContent: [{ TextType: "03", Text: "c" }] };
    expect(diffRecords(before, after)).toEqual([
      { path: "TextContent[0]", old: { TextType: "02", Text: "a" } },
      { path: "TextContent[1].Extra", old: "x" },
      { path: "TextContent[0].Text", old: "b", new: "c" },
    ]);
  });

  test("returns a changed identifier by its type, wherever it stands", () => {
    const identifier = (type: string, value: string) => ({ ProductIDType: type, IDValue: value });
    const before = { ProductIdentifier: [identifier("01", "x"), identifier("15", "1")] };
    const after = {
      ProductIdentifier: [identifier("01", "y"), identifier("06", "10.1/1"), identifier("15", "1")],
    };
    expect(diffRecords(before, after)).toEqual([
      { path: "ProductIdentifier[0].IDValue", old: "x", new: "y" },
      { path: "ProductIdentifier[1]", new: identifier("06", "10.1/1") },
    ]);
  });

  test("returns new sequence numbers only for the contributors after an inserted one", () => {
    const contributor = (number: string, name: string) => ({ SequenceNumber: number, PersonName: name });
    const before = { Contributor: [contributor("1", "A"), contributor("2", "B")] };
    const after = { Contributor: [contributor("1", "C"), contributor("2", "A"), contributor("3", "B")] };
    expect(diffRecords(before, after)).toEqual([
      { path: "Contributor[0]", new: contributor("1", "C") },
      { path: "Contributor[1].SequenceNumber", old: "1", new: "2" },
      { path: "Contributor[2].SequenceNumber", old: "2", new: "3" },
    ]);
  });

  test("returns only the added contributor when a single one becomes an array", () => {
    const [a, b] = [
      { SequenceNumber: "1", PersonName: "A" },
      { SequenceNumber: "2", PersonName: "B" },
    ];
    expect(diffRecords({ Contributor: a }, { Contributor: [a, b] })).toEqual([
      { path: "Contributor[1]", new: b },
    ]);
    expect(diffRecords({ Contributor: [a, b] }, { Contributor: b })).toEqual([
      { path: "Contributor[0]", old: a },
    ]);
  });

  test("matches elements without a key by their content, then by their position", () => {
    expect(diffRecords({ Note: ["a", "b", "c"] }, { Note: ["b", "x", "c"] })).toEqual([
      { path: "Note[0]", old: "a" },
      { path: "Note[1]", new: "x" },
    ]);
    expect(diffRecords({ Note: ["a", "b"] }, { Note: ["a", "x"] })).toEqual([
      { path: "Note[1]", old: "b", new: "x" },
    ]);
  });

  test("returns a removed and an added element for an element that moves", () => {
    expect(diffRecords({ Note: ["a", "b", "c"] }, { Note: ["b", "c", "a"] })).toEqual([
      { path: "Note[0]", old: "a" },
      { path: "Note[2]", new: "a" },
    ]);
  });

  test("returns nothing for the same fields in another order", () => {
    expect(diffRecords({ A: "1", B: [{ C: "2", D: "3" }] }, { B: [{ D: "3", C: "2" }], A: "1" })).toEqual([]);
  });

  test("quotes names that contain a character of paths", () => {
    const changes = diffRecords({ A: [{ "b.c": "1" }] }, { A: [{ "b.c": "2" }] });
    expect(changes).toEqual([{ path: 'A[0]["b.c"]', old: "1", new: "2" }]);
  });

  test("compares thousands of elements in linear time", () => {
    const growth = growthOf(1250, (length) => {
      const list = (offset: number) =>
        Array.from({ length }, (_, index) => price("02", "EUR", String((index * 7919 + offset) % 5003)));
      const [old, changed] = [supply(...list(0)), supply(...list(1))];
      return () => diffRecords(old, changed);
    });
    expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});

test("every key field is a child of its composite in ONIX 3", () => {
  for (const [name, fields] of Object.entries(KEY_FIELDS)) {
    const rule = elementByTag(name);
    expect(rule?.kind, name).toBe("composite");
    for (const field of fields) expect(rule!.children.has(field), `${name}.${field}`).toBe(true);
  }
});

const SAMPLE = join(import.meta.dir, "../../../sample/catalog.xml");

/** Few names and values, so that two records have much in common. */
const NAMES = [
  ...["Contributor", "Price", "TextContent", "TitleElement", "Subject"],
  ...["SequenceNumber", "PriceType", "CurrencyCode", "TextType", "Text", "Text@language", "Text#more"],
  ...["MainSubject", "unknown.name", 'quoted"[0]', "#text"],
];
const text = fc.constantFrom("01", "02", "", "a.b");

/** Values as they occur in records: what may be single is in an array only together with others. */
function fieldsOf(parent: string, depth: number): fc.Arbitrary<RecordFields> {
  const entry = fc
    .constantFrom(...NAMES)
    .chain((name) => fieldValue(name, parent, depth).map((value): [string, RecordValue] => [name, value]));
  return fc.array(entry, { maxLength: 5 }).map((entries) => Object.fromEntries(entries));
}

function fieldValue(name: string, parent: string, depth: number): fc.Arbitrary<RecordValue> {
  const single: fc.Arbitrary<RecordValue> =
    depth === 0
      ? fc.oneof(text, fc.constant(null))
      : fc.oneof(text, fieldsOf(name, depth - 1), fieldsOf(name, depth - 1));
  const list = fc.array(single, { maxLength: 4 });
  const element = name.replace(/[@#].+$/, "");
  if (element !== "" && !name.includes("#more") && isSingleOrArray(element, parent)) {
    return list.map((items) => (items.length < 2 ? (items[0] ?? "") : items));
  }
  return fc.oneof(single, list);
}

const record = fieldsOf("Product", 3);

/** A record, and another one with edits at random places. */
const editedRecord = fc.tuple(record, fc.gen()).map(([before, random]) => {
  const index = (length: number) => random(fc.nat, Math.max(length - 1, 0));
  const edited = (value: RecordValue): RecordValue => {
    if (typeof value === "string" || value === null || index(4) === 0) return value;
    if (Array.isArray(value)) {
      const items = value.map(edited);
      if (items.length < 2) return items;
      const [moved] = items.splice(index(items.length), 1);
      if (index(3) > 0 || items.length < 2) items.splice(index(items.length + 1), 0, moved!);
      if (index(3) === 0) items.splice(index(items.length + 1), 0, "inserted");
      return items;
    }
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, edited(field)]));
  };
  return [before, edited(before) as RecordFields] as const;
});

const pairs = fc.oneof(fc.tuple(record, record), editedRecord);

test("the differences, applied to the old record, give the new record", () => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      expect(applyChanges(before, diffRecords(before, after))).toEqual(after);
    }),
    { numRuns: 300 },
  );
});

test("the differences between records of the sample, applied to one, give the other", () => {
  const { products } = readFeed(readFileSync(SAMPLE, "utf8"));
  const records = products.map(({ body }): RecordFields => JSON.parse(new TextDecoder().decode(body)));
  expect(records.length).toBeGreaterThan(200);
  for (const [index, before] of records.entries()) {
    const after = records[(index * 7 + 1) % records.length]!;
    expect(applyChanges(before, diffRecords(before, after))).toEqual(after);
  }
});

test("there are no differences exactly when the records are equal", () => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      expect(diffRecords(before, after).length === 0).toBe(isDeepStrictEqual(before, after));
      expect(diffRecords(before, structuredClone(before))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("every difference names two different values, and no path twice on one side", () => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      const changes = diffRecords(before, after);
      for (const change of changes) expect(change.old).not.toEqual(change.new!);
      const removed = changes.filter((change) => !("new" in change)).map(({ path }) => path);
      const others = changes.filter((change) => "new" in change).map(({ path }) => path);
      expect(new Set(removed).size).toBe(removed.length);
      expect(new Set(others).size).toBe(others.length);
    }),
    { numRuns: 200 },
  );
});
