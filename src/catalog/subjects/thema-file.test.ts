import { expect, test } from "bun:test";
import { isThema, type StoredSubjects, SubjectReader, schemeOf } from "./subject-labels.ts";
import { themaFile, themaSubjects } from "./testing/thema.ts";
import { languageOfFile, parseThema } from "./thema-file.ts";

const fileOf = (...Code: unknown[]) => JSON.stringify({ CodeList: { ThemaCodes: { Code } } });
const code = (CodeValue: unknown, CodeDescription: unknown = "A label", CodeParent: unknown = "") => ({
  CodeValue,
  CodeDescription,
  CodeParent,
});

test("reads codes, labels and parents in the order of the file", () => {
  expect(parseThema(`\ufeff${themaFile("eng")}`).slice(0, 2)).toEqual([
    { code: "F", label: "Stories", parent: "" },
    { code: "FB", label: "Stories in general", parent: "F" },
  ]);
  expect(
    parseThema(fileOf(code(1, " Places ", null), code("1KBB-US-NAKCMG", "x".repeat(5000), "1"))),
  ).toEqual([
    { code: "1", label: "Places", parent: "" },
    { code: "1KBB-US-NAKCMG", label: `${"x".repeat(299)}…`, parent: "1" },
  ]);
});

test.each([
  ["<ONIX/>", "it is not JSON"],
  ["[]", "it has no CodeList.ThemaCodes.Code, as Thema's JSON files have"],
  [fileOf(), "it has no codes"],
  [fileOf(code("F"), code("f b")), "code 2 has no usable CodeValue"],
  [fileOf(code("F", "")), "F has no CodeDescription"],
  [fileOf(code("F", "Stories", "F")), "the CodeParent of F is not a code"],
  [fileOf(code("FB", "Stories", "F")), "it lacks F, the parent of FB"],
  [fileOf(code("F"), code("F")), "it has a code twice"],
  [
    fileOf(...Array.from({ length: 20_001 }, (_, index) => code(`A${index}`))),
    "it has more than 20000 codes",
  ],
])("refuses a file because %#", (text, message) => {
  expect(() => parseThema(text)).toThrow(message);
});

test("the language is in the name of the file", () => {
  const names = [
    "/a/20250410_Thema_v1.6_en.json",
    "Thema_ES.JSON",
    "thema.json",
    "20250410_Thema_v1.6_fr.json",
  ];
  expect(names.map(languageOfFile)).toEqual(["eng", "spa", undefined, undefined]);
});

test("schemes 93 to 99 are those of Thema, one for each qualifier", () => {
  expect(["93", "99", "92", "10", "930", null].map(isThema)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(["FBA", "1DSE", "6RA"].map(schemeOf)).toEqual(["93", "94", "99"]);
});

test("labels fall back to English, are read once, and follow what is loaded", async () => {
  const loaded: { eng?: StoredSubjects; spa?: StoredSubjects } = {};
  let reads = 0;
  const reader = new SubjectReader({
    digests: () =>
      Object.fromEntries(Object.entries(loaded).map(([language, { digest }]) => [language, digest])),
    read(language) {
      reads++;
      return loaded[language];
    },
  });
  const labels = async () => {
    const words = await reader.in("spa");
    return [
      words.labelOf("93", "FYD"),
      words.labelOf("94", " 1dse "),
      words.labelOf("10", "FYD"),
      words.version,
    ];
  };
  expect(await labels()).toEqual([undefined, undefined, undefined, ""]);
  loaded.eng = { ...themaSubjects("eng"), digest: "e" };
  expect(await labels()).toEqual(["Letters and diaries", "Spain", undefined, "e"]);
  loaded.spa = { ...themaSubjects("spa"), digest: "s" };
  expect(await labels()).toEqual(["Letters and diaries", "España", undefined, "se"]);
  expect((await reader.in("spa")).below("F").map(({ code }) => code)).toEqual(["FB", "FY"]);
  expect(reads).toBe(2);
});
