import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { codeLists } from "../onix/code-lists.ts";
import { allElements } from "../onix/element-table.ts";
import { translationTable } from "./translations.ts";

type Table = { _id: { $oid: string } } & Record<string, Record<string, { eng: string; spa: string }>>;

const text = new TextDecoder().decode(translationTable().body);
const table = JSON.parse(text) as Table;

describe("the translation table", () => {
  test("has a stable id of 24 hexadecimal digits", () => {
    expect(table._id.$oid).toMatch(/^[0-9a-f]{24}$/);
    expect(translationTable().etag).toBe(translationTable().etag);
  });

  test("begins with the four categories of the specification, complete", () => {
    expect(Object.keys(table).slice(0, 5)).toEqual([
      "_id",
      "product_forms",
      "languages",
      "publishing_status",
      "product_availability",
    ]);
    expect(table.product_forms!.BB).toEqual({ eng: "Hardback", spa: "Tapa dura" });
    expect(table.languages!.spa).toEqual({ eng: "Spanish", spa: "Español / Castellano" });
    expect(table.publishing_status!["04"]!.eng).toBe("Active");
    expect(Object.keys(table.product_availability!)).toContain("10");
    expect(Object.keys(table.languages!).length).toBe(codeLists.languages!.codes.length);
  });

  test("has a category for every code list with codes that an element of a record uses", () => {
    const lists = new Set(Object.values(codeLists).map(({ list }) => list));
    const without = allElements().flatMap(({ name, lists: used }) =>
      used.filter((list) => !lists.has(list)).map((list) => `${name}: list ${list}`),
    );
    // EDItEUR has not defined any code of this list yet.
    expect(without).toEqual(["ReligiousTextIdentifier: list 88"]);
    for (const name of ["contributor_roles", "text_types", "measure_units"])
      expect(table).toHaveProperty(name);
  });

  test("has no category without codes", () => {
    const empty = Object.entries(table).filter(([, labels]) => Object.keys(labels).length === 0);
    expect(empty).toEqual([]);
  });

  test("has both labels for every code, without spaces at the ends", () => {
    for (const [category, labels] of Object.entries(table)) {
      if (category === "_id") continue;
      for (const [code, { eng, spa }] of Object.entries(labels)) {
        const ok = eng !== "" && spa !== "" && eng === eng.trim() && spa === spa.trim();
        if (!ok) throw new Error(`${category} ${code}: "${eng}", "${spa}"`);
      }
    }
  });

  test("lists codes in the order of the code list, which a JavaScript object would change", () => {
    expect(text).toMatch(/"publishing_status":\{"00":.*?"01":.*?"02":.*?"09":.*?"10":/);
  });

  test("has equal English and Spanish labels only where a person has reviewed them", async () => {
    const { asInEnglish } = await Bun.file(join(import.meta.dir, "../../scripts/spanish.json")).json();
    const unseen = Object.values(codeLists).flatMap(({ list, codes }) =>
      codes
        .filter(([code, eng, spa]) => eng === spa && !asInEnglish[list]?.split(" ").includes(code))
        .map(([code, eng]) => `${list} ${code} ${eng}`),
    );
    expect(unseen).toEqual([]);
  });
});
