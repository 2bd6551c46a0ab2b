import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { isSingleOrArray, type RecordFields, type RecordValue } from "../../onix/record/record-fields.ts";
import { readFeed } from "../testing/import-feeds.ts";
import { diffRecords } from "./record-diff.ts";
import { applyChanges } from "./testing/apply-changes.ts";

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
