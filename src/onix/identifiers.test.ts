import { describe, expect, test } from "bun:test";
import { buildRecord } from "./record.ts";
import type { RecordFields } from "./record-fields.ts";
import { identifier } from "./testing/message.ts";
import { readOne, recordFrom, remarksOn } from "./testing/record.ts";

describe("the identifiers of a record", () => {
  test("_id depends only on the ISBN", async () => {
    const one = await recordFrom({ title: "One" });
    const other = await recordFrom({ title: "Other", reference: "x" });
    expect(one._id).toMatch(/^[0-9a-f]{24}$/);
    expect(other._id).toBe(one._id);
    expect((await recordFrom({ isbn: "9780199632091" }))._id).not.toBe(one._id);
  });

  test("RecordReference is the ISBN; the sender's reference is separate", async () => {
    expect((await recordFrom({ reference: "com.example.1" })).RecordReference).toBe("9788437604947");
    expect((await readOne({ reference: "com.example.1" })).reference).toBe("com.example.1");
  });

  test("missing identifiers of types 15, 03 and 02 are added after those of the feed", async () => {
    const uuid = `<ProductIdentifier><ProductIDType>01</ProductIDType><IDTypeName>ONIX_NOSEQ</IDTypeName><IDValue>4f</IDValue></ProductIdentifier>`;
    const { ProductIdentifier } = await recordFrom({ identifiers: uuid + identifier("03", "9788437604947") });
    expect(ProductIdentifier).toEqual([
      { ProductIDType: "01", IDTypeName: "ONIX_NOSEQ", IDValue: "4f" },
      { ProductIDType: "03", IDValue: "9788437604947" },
      { ProductIDType: "15", IDValue: "9788437604947" },
      { ProductIDType: "02", IDValue: "843760494X" },
    ]);
  });

  test("no ISBN-10 is added to a 979 ISBN", async () => {
    const { ProductIdentifier } = await recordFrom({ isbn: "9791034567893" });
    expect((ProductIdentifier as RecordFields[]).map(({ ProductIDType }) => ProductIDType)).toEqual([
      "15",
      "03",
    ]);
  });

  test("hyphens and spaces of every kind are removed", async () => {
    for (const hyphen of ["-", " ", "\u00A0", "\u2010", "\u2011"]) {
      const isbn = ["978", "84", "376", "0494", "7"].join(hyphen);
      const { ProductIdentifier } = await recordFrom({ identifiers: identifier("15", isbn) });
      expect((ProductIdentifier as RecordFields[])[0]).toEqual({
        ProductIDType: "15",
        IDValue: "9788437604947",
      });
    }
  });

  test("an ISBN-10 under the type of an ISBN-13 is converted, with a remark", async () => {
    for (const type of ["15", "03"]) {
      const identifiers = identifier(type, "84-376-0494-x");
      const { ProductIdentifier } = await recordFrom({ identifiers });
      expect((ProductIdentifier as RecordFields[])[0]).toEqual({
        ProductIDType: type,
        IDValue: "9788437604947",
      });
      expect(ProductIdentifier).toBeArrayOfSize(3);
      expect(await remarksOn({ identifiers })).toEqual([
        `bad-isbn: "84-376-0494-x" under type ${type} is an ISBN-10.`,
      ]);
      const product = await readOne({ identifiers });
      expect(buildRecord(product, product.isbn!).origin.sent).toEqual({ "0": "84-376-0494-x" });
    }
  });

  test("a value that is not an ISBN is unchanged, and the ISBN-13 is added", async () => {
    const identifiers = identifier("15", "abc") + identifier("03", "9788437604947");
    expect((await recordFrom({ identifiers })).ProductIdentifier).toEqual([
      { ProductIDType: "15", IDValue: "abc" },
      { ProductIDType: "03", IDValue: "9788437604947" },
      { ProductIDType: "15", IDValue: "9788437604947" },
      { ProductIDType: "02", IDValue: "843760494X" },
    ]);
  });

  test("the X of an ISBN-10 is upper case", async () => {
    const { ProductIdentifier } = await recordFrom({ identifiers: identifier("02", "843760494x") });
    expect((ProductIdentifier as RecordFields[])[0]).toEqual({ ProductIDType: "02", IDValue: "843760494X" });
  });

  const cases: [string, string, string | undefined][] = [
    [
      "the ISBN-13 before the GTIN-13",
      identifier("03", "9780199632091") + identifier("15", "9788437604947"),
      "9788437604947",
    ],
    ["the GTIN-13 of a book", identifier("03", "9788437604947"), "9788437604947"],
    ["nothing for the GTIN-13 of music", identifier("03", "9790321765436"), undefined],
    ["nothing for the GTIN-13 of other goods", identifier("03", "7501031311309"), undefined],
    ["the ISBN-10", identifier("02", "019963209X"), "9780199632091"],
    [
      "the ISBN-10 after the GTIN-13 of other goods",
      identifier("03", "7501031311309") + identifier("02", "019963209X"),
      "9780199632091",
    ],
    ["the ISBN-10 with a wrong check digit", identifier("02", "0199632090"), "9780199632091"],
    ["an ISBN-13 with hyphens", identifier("15", "978-84-376-0494-7"), "9788437604947"],
    [
      "an ISBN-13 with typographic hyphens",
      identifier("15", "978\u201184\u2011376\u20100494\u20117"),
      "9788437604947",
    ],
    [
      "an ISBN-10 with typographic hyphens",
      identifier("02", "84\u2011376\u20110494\u2011X"),
      "9788437604947",
    ],
    ["an ISBN-13 with a line break", identifier("15", "978-84-376\n-0494-7"), "9788437604947"],
    ["nothing for a proprietary identifier", identifier("01", "9788437604947"), undefined],
    ["nothing for an ISMN of type ISBN-13", identifier("15", "9790321765436"), undefined],
    ["nothing for an ISBN-13 with too few digits", identifier("15", "978843760494"), undefined],
  ];
  for (const [name, identifiers, isbn] of cases) {
    test(`findIsbn returns ${name}`, async () =>
      expect<string | undefined>((await readOne({ identifiers })).isbn).toBe(isbn));
  }

  test("wrong numbers have a remark", async () => {
    expect(await remarksOn({ isbn: "9788437604940" })).toEqual([
      "wrong-check-digit: The check digit of 9788437604940 is wrong.",
    ]);
    expect(await remarksOn({ identifiers: identifier("02", "0199632090") })).toEqual([
      "wrong-check-digit: The check digit of the ISBN-10 is wrong.",
    ]);
    expect(
      await remarksOn({ identifiers: identifier("15", "12") + identifier("03", "9788437604947") }),
    ).toEqual(['bad-isbn: "12" is not an ISBN-13.']);
  });
});
