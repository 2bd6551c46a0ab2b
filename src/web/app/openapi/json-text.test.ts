import { expect, test } from "bun:test";
import { indentJson } from "./json-text.ts";

const coloured = (source: string) => {
  const { text, tokens } = indentJson(source);
  return tokens.map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
};

test.each([
  { value: { a: [1, -2.5e3, true, null], b: { c: "d" }, "": [] } },
  { value: [] },
  { value: {} },
  { value: [[], {}, [[]], [{}]] },
  { value: ["{", "}", "[", ":", ",", '"', "\\", "\n", "\\\\"] },
  { value: "text" },
  { value: 12 },
])("indentJson returns what JSON.stringify does for $value", ({ value }) => {
  expect(indentJson(JSON.stringify(value)).text).toBe(JSON.stringify(value, undefined, 2));
  expect(indentJson(JSON.stringify(value, undefined, 4)).text).toBe(JSON.stringify(value, undefined, 2));
});

test("indentJson keeps numbers, escapes, repeated members and spaces in strings", () => {
  const source = '{"a":1.10,"a":12345678901234567890,"b":"\\u00e9  \\/"}';
  expect(indentJson(source).text).toBe(
    '{\n  "a": 1.10,\n  "a": 12345678901234567890,\n  "b": "\\u00e9  \\/"\n}',
  );
});

test("indentJson names the kind of every token", () => {
  expect(coloured('{"a":"b","c":[1,true,null]}')).toEqual([
    'key "a"',
    'string "b"',
    'key "c"',
    "number 1",
    "literal true",
    "literal null",
  ]);
});

test("indentJson takes a text that is cut anywhere, and loses nothing of it", () => {
  const source = JSON.stringify({ a: ['x\\"y', { b: -1.5 }, null], "c:,": "{[" });
  const withoutSpace = (text: string) => text.replace(/\s/g, "");
  for (let length = 0; length <= source.length; length++) {
    const start = source.slice(0, length);
    expect(withoutSpace(indentJson(start).text)).toBe(start);
  }
});

test("indentJson takes a long string without backtracking", () => {
  const long = `["${"\\\\a".repeat(50_000)}`;
  expect(indentJson(long).text.length).toBe(long.length + 3);
});
