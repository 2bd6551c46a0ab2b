import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { elementByTag } from "../element-table.ts";
import { blocksOf, membersOf, replaceBlocks } from "./record-blocks.ts";
import { elementNameOfKey } from "./record-fields.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function textsOf(json: string): string[] {
  const body = encode(json);
  return membersOf(body).map(({ from, to }) => decode(body.subarray(from, to)));
}

function merge(record: string, update: string): string {
  const [a, b] = [encode(record), encode(update)];
  return decode(replaceBlocks(a, membersOf(a), b, membersOf(b)));
}

describe("membersOf", () => {
  test("locates each member with its whole value", () => {
    expect(textsOf('{"_id":"1","a":{"b":[{"c":"d"},[]]},"e":[],"f":null,"g":""}')).toEqual([
      '"_id":"1"',
      '"a":{"b":[{"c":"d"},[]]}',
      '"e":[]',
      '"f":null',
      '"g":""',
    ]);
  });

  test("skips quotes, backslashes, brackets and commas inside strings", () => {
    const tricky = ['"', "\\", '\\"', "{[", "]}", ",", '","x":', "é中😀\u2028", "\n\t\u0001"];
    const members = tricky.map(
      (text, index) => `${JSON.stringify(`k${index}${text}`)}:${JSON.stringify(text)}`,
    );
    expect(textsOf(`{${members.join(",")}}`)).toEqual(members);
  });

  test("names the element of keys with attributes and further occurrences", () => {
    const keys = ["_id", "@datestamp", "ProductSupply", "ProductSupply#more", "Barcode@x", "Título", "#text"];
    const body = encode(JSON.stringify(Object.fromEntries(keys.map((key) => [key, ""]))));
    expect(membersOf(body).map(({ name }) => name)).toEqual([
      "_id",
      "@datestamp",
      "ProductSupply",
      "ProductSupply",
      "Barcode",
      "Título",
      "#text",
    ]);
  });

  for (const broken of ["", "[]", "{}", '{"a"}', '{"a":1', '{"a":"x}', '{"a":{"b":1}', '{ "a":1}', '{"a":1]'])
    test(`throws for ${broken || "no bytes"}`, () => {
      expect(() => membersOf(encode(broken))).toThrow(SyntaxError);
    });
});

describe("replaceBlocks", () => {
  test("replaces a block and leaves everything outside it", () => {
    expect(
      merge(
        '{"_id":"1","NotificationType":"03","PublishingDetail":{"a":"old"},"ProductSupply":[{"b":"old"}]}',
        '{"_id":"0","NotificationType":"04","ProductSupply":[{"b":"new"}]}',
      ),
    ).toBe(
      '{"_id":"1","NotificationType":"03","PublishingDetail":{"a":"old"},"ProductSupply":[{"b":"new"}]}',
    );
  });

  test("puts a new block at its place in the standard, before unknown elements", () => {
    expect(
      merge(
        '{"_id":"1","DescriptiveDetail":{},"ProductSupply":[],"Odd":"x"}',
        '{"_id":"0","CollateralDetail":{"a":"b"},"Other":"y"}',
      ),
    ).toBe('{"_id":"1","DescriptiveDetail":{},"CollateralDetail":{"a":"b"},"ProductSupply":[],"Odd":"x"}');
  });

  test("replaces all occurrences of a block", () => {
    const twice = '{"_id":"1","CollateralDetail":{"a":"1"},"CollateralDetail#more":[{"a":"2"}]}';
    const once = '{"_id":"1","CollateralDetail":{"a":"3"}}';
    expect(merge(twice, once)).toBe(once);
    expect(merge(once, twice)).toBe(twice);
  });

  test("returns the record for an update without blocks", () => {
    const record = '{"_id":"1","NotificationType":"03","DescriptiveDetail":{}}';
    expect(merge(record, '{"_id":"0","NotificationType":"04"}')).toBe(record);
  });
});

test("blocksOf returns each block once, and nothing else", () => {
  const body = encode('{"_id":"1","ProductIdentifier":[],"ProductSupply":[],"ProductSupply#more":[]}');
  expect([...blocksOf(membersOf(body))]).toEqual(["ProductSupply"]);
});

test("replaceBlocks returns what merging parsed objects returns, for any values", () => {
  const children = elementByTag("Product")!.children;
  const order = (key: string) => {
    const name = key.startsWith("@") ? "RecordReference" : elementNameOfKey(key);
    return key === "_id" ? -1 : (children.get(name)?.order ?? 1e6);
  };
  const keys = ["@x", ...children.keys(), "DescriptiveDetail#more", "ProductSupply@a", "Odd", 'q"\\'];
  const value = fc.jsonValue({ maxDepth: 3 }).filter((json) => json !== undefined);
  const record = fc
    .uniqueArray(fc.constantFrom(...keys))
    .chain((some) => fc.tuple(...some.map((key) => fc.tuple(fc.constant(key), value))))
    .map((members) => {
      const all: [string, unknown][] = [["_id", "0"], ...members];
      return Object.fromEntries(all.sort(([a], [b]) => order(a) - order(b)));
    });
  fc.assert(
    fc.property(record, record, (old, update) => {
      const updateBody = encode(JSON.stringify(update));
      const replaced = blocksOf(membersOf(updateBody));
      const members = [
        ...Object.entries(old).filter(([key]) => !replaced.has(elementNameOfKey(key))),
        ...Object.entries(update).filter(([key]) => replaced.has(elementNameOfKey(key))),
      ].sort(([a], [b]) => order(a) - order(b));
      expect(merge(JSON.stringify(old), JSON.stringify(update))).toBe(
        JSON.stringify(Object.fromEntries(members)),
      );
    }),
    { numRuns: 500 },
  );
});
