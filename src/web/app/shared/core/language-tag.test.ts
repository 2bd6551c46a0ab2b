import { expect, test } from "bun:test";
import { languageTag } from "./language-tag.ts";

test.each([
  ["spa", "es"],
  ["fre", "fr"],
  ["baq", "eu"],
  ["CHI", "zh"],
  ["ara", "ar"],
  ["grc", "grc"],
  ["no", undefined],
  ['"><b>', undefined],
  [undefined, undefined],
])("languageTag of %p is %p", (code, tag) => {
  expect(languageTag(code)).toBe(tag as string);
});
