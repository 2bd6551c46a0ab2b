import { describe, expect, test } from "bun:test";
import type { Fields } from "./fields.ts";
import { recordOf } from "./record.ts";
import { identifier } from "./testing/message.ts";
import { read, record, remarks } from "./testing/record.ts";

describe("identity", () => {
  test("the id is made of the ISBN alone", async () => {
    const one = await record({ title: "One" });
    const other = await record({ title: "Other", reference: "x" });
    expect(one._id).toMatch(/^[0-9a-f]{24}$/);
    expect(other._id).toBe(one._id);
    expect((await record({ isbn: "9780199632091" }))._id).not.toBe(one._id);
  });

  test("the reference is the ISBN, the sender's own is kept apart", async () => {
    expect((await record({ reference: "com.example.1" })).RecordReference).toBe("9788437604947");
    expect((await read({ reference: "com.example.1" })).reference).toBe("com.example.1");
  });

  test("missing identifiers of types 15, 03 and 02 are completed, those of the feed stay first", async () => {
    const uuid = `<ProductIdentifier><ProductIDType>01</ProductIDType><IDTypeName>ONIX_NOSEQ</IDTypeName><IDValue>4f</IDValue></ProductIdentifier>`;
    const { ProductIdentifier } = await record({ identifiers: uuid + identifier("03", "9788437604947") });
    expect(ProductIdentifier).toEqual([
      { ProductIDType: "01", IDTypeName: "ONIX_NOSEQ", IDValue: "4f" },
      { ProductIDType: "03", IDValue: "9788437604947" },
      { ProductIDType: "15", IDValue: "9788437604947" },
      { ProductIDType: "02", IDValue: "843760494X" },
    ]);
  });

  test("a 979 has no ISBN-10", async () => {
    const { ProductIdentifier } = await record({ isbn: "9791034567893" });
    expect((ProductIdentifier as Fields[]).map((each) => each.ProductIDType)).toEqual(["15", "03"]);
  });

  test("identifiers are their digits, whichever hyphens they came with", async () => {
    for (const hyphen of ["-", " ", "\u00A0", "\u2010", "\u2011"]) {
      const isbn = ["978", "84", "376", "0494", "7"].join(hyphen);
      const { ProductIdentifier } = await record({ identifiers: identifier("15", isbn) });
      expect((ProductIdentifier as Fields[])[0]).toEqual({ ProductIDType: "15", IDValue: "9788437604947" });
    }
  });

  test("an ISBN-10 under the type of an ISBN-13 becomes one, with a remark", async () => {
    for (const type of ["15", "03"]) {
      const identifiers = identifier(type, "84-376-0494-x");
      const { ProductIdentifier } = await record({ identifiers });
      expect((ProductIdentifier as Fields[])[0]).toEqual({ ProductIDType: type, IDValue: "9788437604947" });
      expect(ProductIdentifier).toBeArrayOfSize(3);
      expect(await remarks({ identifiers })).toEqual([
        `bad-isbn: "84-376-0494-x" under type ${type} is an ISBN-10.`,
      ]);
      const product = await read({ identifiers });
      expect(recordOf(product, product.isbn!).origin.sent).toEqual({ "0": "84-376-0494-x" });
    }
  });

  test("what is no ISBN stays as it came, and the ISBN-13 is completed all the same", async () => {
    const identifiers = identifier("15", "abc") + identifier("03", "9788437604947");
    expect((await record({ identifiers })).ProductIdentifier).toEqual([
      { ProductIDType: "15", IDValue: "abc" },
      { ProductIDType: "03", IDValue: "9788437604947" },
      { ProductIDType: "15", IDValue: "9788437604947" },
      { ProductIDType: "02", IDValue: "843760494X" },
    ]);
  });

  test("the X of an ISBN-10 is a capital", async () => {
    const { ProductIdentifier } = await record({ identifiers: identifier("02", "843760494x") });
    expect((ProductIdentifier as Fields[])[0]).toEqual({ ProductIDType: "02", IDValue: "843760494X" });
  });

  const books: [string, string, string | undefined][] = [
    ["its 15", identifier("03", "9780199632091") + identifier("15", "9788437604947"), "9788437604947"],
    ["a GTIN-13 of a book", identifier("03", "9788437604947"), "9788437604947"],
    ["no GTIN-13 of music", identifier("03", "9790321765436"), undefined],
    ["no GTIN-13 of anything else", identifier("03", "7501031311309"), undefined],
    ["an ISBN-10", identifier("02", "019963209X"), "9780199632091"],
    [
      "an ISBN-10 behind a useless GTIN",
      identifier("03", "7501031311309") + identifier("02", "019963209X"),
      "9780199632091",
    ],
    ["an ISBN-10 with a wrong check digit", identifier("02", "0199632090"), "9780199632091"],
    ["hyphens and all", identifier("15", "978-84-376-0494-7"), "9788437604947"],
    [
      "hyphens as typesetters have them",
      identifier("15", "978\u201184\u2011376\u20100494\u20117"),
      "9788437604947",
    ],
    ["an ISBN-10 with such hyphens", identifier("02", "84\u2011376\u20110494\u2011X"), "9788437604947"],
    ["a line broken in two", identifier("15", "978-84-376\n-0494-7"), "9788437604947"],
    ["nothing of the publisher's own", identifier("01", "9788437604947"), undefined],
    ["no 15 that is music", identifier("15", "9790321765436"), undefined],
    ["no 15 with too few digits", identifier("15", "978843760494"), undefined],
  ];
  for (const [name, identifiers, isbn] of books) {
    test(`the book of a product: ${name}`, async () =>
      expect<string | undefined>((await read({ identifiers })).isbn).toBe(isbn));
  }

  test("wrong numbers are remarked upon", async () => {
    expect(await remarks({ isbn: "9788437604940" })).toEqual([
      "wrong-check-digit: The check digit of 9788437604940 is wrong.",
    ]);
    expect(await remarks({ identifiers: identifier("02", "0199632090") })).toEqual([
      "wrong-check-digit: The check digit of the ISBN-10 is wrong.",
    ]);
    expect(
      await remarks({ identifiers: identifier("15", "12") + identifier("03", "9788437604947") }),
    ).toEqual(['bad-isbn: "12" is no ISBN-13.']);
  });
});
