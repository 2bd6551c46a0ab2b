import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hasValidCheckDigit } from "./isbn.ts";
import {
  brokenIsbn10,
  correctedIdentifier,
  describeBadIsbns,
  describeContradiction,
  findIsbn,
  type Identifier,
  usualIsbn,
} from "./product-identifiers.ts";
import type { RecordFields } from "./record/record-fields.ts";
import { identifier } from "./testing/message.ts";
import { complaintsOn, readOne, recordFrom } from "./testing/scan-message.ts";

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
    const { ProductIdentifier } = await recordFrom({ isbn: "9791034567898" });
    expect((ProductIdentifier as RecordFields[]).map(({ ProductIDType }) => ProductIDType)).toEqual([
      "15",
      "03",
    ]);
  });

  test.each(["15", "03"])(
    "nothing is derived from a number of type %s with a wrong check digit",
    async (type) => {
      const { ProductIdentifier, RecordReference } = await recordFrom({
        identifiers: identifier(type, "9788437604940"),
      });
      expect(RecordReference).toBe("9788437604940");
      expect(ProductIdentifier).toEqual([{ ProductIDType: type, IDValue: "9788437604940" }]);
    },
  );

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

  test("an ISBN-10 under the type of an ISBN-13 is converted, with a complaint", async () => {
    for (const type of ["15", "03"]) {
      // It has 13 characters, too.
      const identifiers = identifier(type, "84-376-0494-x");
      const { ProductIdentifier } = await recordFrom({ identifiers });
      expect((ProductIdentifier as RecordFields[])[0]).toEqual({
        ProductIDType: type,
        IDValue: "9788437604947",
      });
      expect(ProductIdentifier).toBeArrayOfSize(3);
      expect(await complaintsOn({ identifiers })).toEqual([
        `bad-isbn: "84-376-0494-x" under type ${type} is an ISBN-10.`,
      ]);
      const { origin } = await readOne({ identifiers });
      expect(JSON.parse(origin).sent).toEqual({ "0": "84-376-0494-x" });
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
    [
      "the GTIN-13 of a book after that of other goods",
      identifier("03", "7501031311309") + identifier("03", "9788437604947"),
      "9788437604947",
    ],
    [
      "the second value of type ISBN-13 when the first is none",
      identifier("15", "n/a") + identifier("15", "9788437604947"),
      "9788437604947",
    ],
    ["nothing for an ISBN-10 with a wrong check digit", identifier("02", "0199632090"), undefined],
    [
      "the second ISBN-10 when the first has a wrong check digit",
      identifier("02", "0199632090") + identifier("02", "019963209X"),
      "9780199632091",
    ],
    ["an ISBN-13 with hyphens", identifier("15", "978-84-376-0494-7"), "9788437604947"],
    ["an ISBN-13 with a line break", identifier("15", "978-84-376\n-0494-7"), "9788437604947"],
    ["nothing for a proprietary identifier", identifier("01", "9788437604947"), undefined],
    ["nothing for an ISMN of type ISBN-13", identifier("15", "9790321765436"), undefined],
    ["nothing for an ISBN-13 with too few digits", identifier("15", "978843760494"), undefined],
  ];
  for (const [name, identifiers, isbn] of cases) {
    test(`findIsbn returns ${name}`, async () =>
      expect<string | undefined>((await readOne({ identifiers })).isbn).toBe(isbn));
  }

  test("wrong numbers have a complaint", async () => {
    expect(await complaintsOn({ isbn: "9788437604940" })).toEqual([
      "wrong-check-digit: The check digit of 9788437604940 is wrong.",
    ]);
    expect(
      await complaintsOn({ identifiers: identifier("15", "9788437604947") + identifier("02", "0199632090") }),
    ).toEqual(["wrong-check-digit: The check digit of the ISBN-10 0199632090 is wrong."]);
    expect(
      await complaintsOn({ identifiers: identifier("15", "12") + identifier("03", "9788437604947") }),
    ).toEqual(['bad-isbn: "12" is not an ISBN-13.']);
  });

  test("missing identifiers are not added to a product inside the product", async () => {
    const inner = `<Product><RecordReference>inner</RecordReference>${identifier("01", "x")}</Product>`;
    const { Product } = (await recordFrom({ detail: inner })).DescriptiveDetail as RecordFields;
    expect(Product).toEqual([
      { RecordReference: "inner", ProductIdentifier: [{ ProductIDType: "01", IDValue: "x" }] },
    ]);
  });

  test("identifiers of which only others are missing keep their order and attributes", async () => {
    const sent =
      '<ProductIdentifier datestamp="20240101"><IDValue sourcename="a">978-84-376-0494-7</IDValue>' +
      "<ProductIDType>15</ProductIDType></ProductIdentifier>";
    expect((await recordFrom({ identifiers: sent })).ProductIdentifier).toEqual([
      { "@datestamp": "20240101", ProductIDType: "15", IDValue: "9788437604947", "IDValue@sourcename": "a" },
      { ProductIDType: "03", IDValue: "9788437604947" },
      { ProductIDType: "02", IDValue: "843760494X" },
    ]);
  });
});

test("usualIsbn returns an ISBN only where there is nothing to correct or to complain about", () => {
  const values = [
    "9788437604947",
    "8437604944",
    "9788437604948",
    "978-84-376-0494-7",
    "9791034567898",
    "x",
    "",
  ];
  const identifier = fc.record({
    type: fc.constantFrom("15", "03", "02", "01"),
    value: fc.constantFrom(...values),
  });
  let found = 0;
  fc.assert(
    fc.property(fc.array(identifier, { maxLength: 4 }), (identifiers) => {
      const isbn = usualIsbn(identifiers);
      if (isbn === undefined) return;
      found++;
      expect(findIsbn(identifiers)).toBe(isbn);
      expect(hasValidCheckDigit(isbn)).toBe(true);
      expect(identifiers.filter((each) => correctedIdentifier(each) !== undefined)).toEqual([]);
      expect(describeBadIsbns(identifiers)).toEqual([]);
      expect(describeContradiction(identifiers)).toBeUndefined();
      expect(brokenIsbn10(identifiers)).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
  expect(found).toBeGreaterThan(0);
});

describe("describeContradiction", () => {
  const isbn13 = { type: "15", value: "9788437604947" };
  const contradictionIn = async (...identifiers: readonly Identifier[]) => {
    const xml = identifiers.map(({ type, value }) => identifier(type, value)).join("");
    const [complaint] = (await readOne({ identifiers: xml })).complaints.filter(
      ({ kind }) => kind === "contradicting-identifiers",
    );
    const text = describeContradiction(identifiers);
    expect(complaint?.text).toBe(text!);
    return text;
  };

  test.each([
    [
      "a GTIN-13 of another book",
      [isbn13, { type: "03", value: "9780199632091" }],
      "9780199632091 (type 03)",
    ],
    ["the ISBN-10 of another book", [isbn13, { type: "02", value: "019963209X" }], "019963209X (type 02)"],
    ["a second ISBN-13", [isbn13, { type: "15", value: "978-0-19-963209-1" }], "978-0-19-963209-1 (type 15)"],
  ])("describes %s", async (_, identifiers, other) => {
    expect(await contradictionIn(...identifiers)).toBe(
      `The identifiers name different books: 9788437604947 (type 15), ${other}.`,
    );
  });

  test("describes a GTIN-13 and an ISBN-10 that name different books, and names each book once", async () => {
    expect(
      await contradictionIn(
        { type: "03", value: "9788437604947" },
        { type: "02", value: "019963209X" },
        { type: "15", value: "9788437604947" },
        { type: "02", value: "843760494X" },
      ),
    ).toBe("The identifiers name different books: 9788437604947 (type 03), 019963209X (type 02).");
  });

  test.each([
    [
      "identifiers that agree",
      [isbn13, { type: "03", value: "9788437604947" }, { type: "02", value: "843760494X" }],
    ],
    ["hyphens", [isbn13, { type: "03", value: "978-84-376-0494-7" }, { type: "02", value: "84-376-0494-x" }]],
    ["an ISBN-10 under type 15", [isbn13, { type: "15", value: "843760494X" }]],
    ["a GTIN-13 of other goods", [isbn13, { type: "03", value: "4006381333931" }]],
    ["a GTIN-13 of music", [isbn13, { type: "03", value: "9790321765436" }]],
    ["a proprietary identifier", [isbn13, { type: "01", value: "9780199632091" }]],
    ["a value that is no number", [isbn13, { type: "15", value: "abc" }, { type: "02", value: "" }]],
    ["an ISBN-10 with a wrong check digit", [isbn13, { type: "02", value: "8437604941" }]],
    ["a broken ISBN-10 of another book", [isbn13, { type: "02", value: "0199632090" }]],
  ])("returns undefined for %s", async (_, identifiers) => {
    expect(await contradictionIn(...identifiers)).toBeUndefined();
  });

  test("returns undefined for a product without identifiers", () =>
    expect(describeContradiction([])).toBeUndefined());
});
