import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { sharedFile } from "../../lib/testing/requirements.ts";
import { isCode } from "../code-lists.ts";
import { allElements, elementByTag } from "../element-table.ts";
import { type DependentLists, dependentListsOf } from "./coded-fields.ts";

const schema = sharedFile("onix/schemas/3.1/ONIX_BookProduct_CodeLists.xsd");

/** All rows, as composite, field and lists. */
const rows: readonly (readonly [composite: string, field: string, DependentLists])[] = allElements().flatMap(
  ({ name, children }) =>
    [...children.keys()].flatMap((field) => {
      const lists = dependentListsOf(name, field);
      return lists ? [[name, field, lists] as const] : [];
    }),
);

test("dependent codes are beside the field that decides, which has those codes and occurs once", () => {
  expect(rows).toHaveLength(9);
  for (const [composite, field, { by, lists, severalFor = [] }] of rows) {
    const { children } = elementByTag(composite)!;
    expect([composite, by, children.get(by)?.repeats]).toEqual([composite, by, false]);
    expect(elementByTag(field)!.lists).toEqual([]);
    const [deciding] = elementByTag(by)!.lists;
    for (const [code, list] of Object.entries(lists)) {
      expect([by, code, isCode(deciding!, code)]).toEqual([by, code, true]);
      expect([list, isCode(list, "")]).toEqual([list, false]);
    }
    expect(Object.keys(lists)).toEqual(expect.arrayContaining([...severalFor]));
  }
});

test.skipIf(schema.missing)(
  `dependent codes are those of the notes of the code lists${schema.missing ? " (skipped: no ../shared/onix)" : ""}`,
  () => {
    const notes = notesOfCodes(readFileSync(schema.path, "utf8"));
    const unnoted = rows.flatMap(([composite, , { by, lists }]) =>
      Object.entries(lists)
        .filter(([code, list]) => {
          const note = notes.get(`${elementByTag(by)!.lists[0]} ${code}`) ?? "";
          return !new RegExp(`list ${list}\\b`, "i").test(note);
        })
        .map(([code, list]) => `${composite} ${code}: list ${list}`),
    );
    expect(unnoted).toEqual([]);
  },
);

/** Returns the notes of an XSD of code lists by list and code. */
function notesOfCodes(xsd: string): Map<string, string> {
  const notes = new Map<string, string>();
  for (const [, list, body] of xsd.matchAll(/<xs:simpleType name="List(\d+)">([\s\S]*?)<\/xs:simpleType>/g)) {
    for (const [, code, content] of body!.matchAll(
      /<xs:enumeration value="([^"]+)">([\s\S]*?)<\/xs:enumeration>/g,
    )) {
      notes.set(`${list} ${code}`, content!);
    }
  }
  return notes;
}
