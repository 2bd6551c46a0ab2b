import { describe, expect, test } from "bun:test";
import { editionTargetsOf } from "../../catalog/editions/edition-links.ts";
import { etagOf, type PreparedProduct, searchDocumentOfEntry, summaryOfEntry } from "../../catalog/entry.ts";
import { PARTS } from "../../catalog/search/search-document.ts";
import { fieldsOfDocument } from "../../catalog/testing/search-model.ts";
import { bytesOf } from "../../feed/testing/streams.ts";
import type { RecordVisitor } from "../../onix/fields/book-fields.ts";
import { ChunkScanner } from "../../onix/reader/chunk-scanner.ts";
import type { ScannedProduct } from "../../onix/scanned-product.ts";
import { message, product } from "../../onix/testing/message.ts";
import { DOCUMENT_START } from "../../xml/position.ts";
import { decodeProducts, type EncodedProducts, encodeProducts } from "./batch-codec.ts";
import { ExtractEncoder } from "./extract-codec.ts";

const RELATED_WORK = `<RelatedWork><WorkRelationCode>01</WorkRelationCode><WorkIdentifier><WorkIDType>11</WorkIDType>
  <IDValue>A02-2009-000154fa</IDValue></WorkIdentifier></RelatedWork>`;
const MIXED = message(
  product({ isbn: "9788437604947", reference: "" }),
  product({ isbn: "9780199632091", reference: "é-1", imprint: "One", languages: ["spa", "eng"] }),
  product({ isbn: "9788400000004", detail: "<Foo/>" }),
  product({ isbn: "9791034567898", imprint: "", languages: [], date: "" }),
  product({ isbn: "9780306406157", reference: "é-1", imprint: "Two", languages: ["eng", "spa"] }),
  product({ isbn: "9780140449136", imprint: "One", languages: ["spa eng"], detail: "<NoEdition/>" }),
  product({ isbn: "9780140449143", languages: ["spa\neng"] }),
  product({ isbn: "9788408000037", text: `<Text>${"Él dijo “sí” ".repeat(40)}</Text>` }),
  product({ isbn: "9788437604954", blocks: `<RelatedMaterial>${RELATED_WORK}</RelatedMaterial>` }),
  product({ notification: "04" }),
  product({ notification: "05" }),
  product({ notification: "88" }),
  product({ identifiers: "" }),
);

function scan(text: string, visitor?: RecordVisitor): readonly ScannedProduct[] {
  const result = new ChunkScanner(undefined, visitor).scan(bytesOf(text), undefined, true);
  if (result.kind === "error") throw new Error(result.message);
  return result.products;
}

/** A product whose search document is compared by its fields. */
type ComparedProduct = Omit<PreparedProduct, "search"> & { readonly search: unknown };

function decode(encoded: EncodedProducts): ComparedProduct[] {
  return decodeProducts(encoded, DOCUMENT_START).map((product) => ({
    ...product,
    search: product.search && fieldsOfDocument(product.search),
  }));
}

function withEtag(scanned: ScannedProduct): ComparedProduct {
  const isStored = scanned.action === "record" || scanned.isWhole;
  return {
    ...scanned,
    etag: scanned.body.length === 0 ? "" : etagOf(scanned.body),
    summary: isStored ? summaryOfEntry(scanned) : undefined,
    search: isStored ? fieldsOfDocument(searchDocumentOfEntry(scanned)) : undefined,
    editions: isStored ? editionTargetsOf({ isbn: scanned.isbn!, body: scanned.body }) : undefined,
  };
}

describe("encodeProducts and decodeProducts", () => {
  test("return products of every action with etags, summaries and search documents, also across a structured clone", () => {
    const summaries = new ExtractEncoder();
    const products = scan(MIXED, summaries);
    const expected = products.map(withEtag);
    expect(new Set(products.map(({ action }) => action)).size).toBe(5);
    expect(products.some(({ complaints }) => complaints.length > 0)).toBe(true);
    expect(expected.flatMap(({ editions }) => editions ?? [])).toEqual(["11:A022009000154FA"]);
    const encoded = encodeProducts(products, summaries.take());
    expect(decode(encoded)).toEqual(expected);
    const clone = structuredClone(encoded, {
      transfer: [encoded.bodies.buffer, encoded.summaries.bytes.buffer, encoded.searchDocuments.bytes.buffer],
    });
    expect(decode(clone)).toEqual(scan(MIXED).map(withEtag));
  });

  test("do not copy the bodies", () => {
    const products = scan(MIXED);
    expect(encodeProducts(products).bodies.buffer).toBe(products[0]!.body.buffer as ArrayBuffer);
  });

  test("make no summaries without an encoder", () => {
    const decoded = decodeProducts(encodeProducts(scan(MIXED)), DOCUMENT_START);
    expect(decoded.filter(({ summary, search }) => summary !== undefined || search !== undefined)).toEqual(
      [],
    );
  });

  test("make summaries and search documents that are larger than their buffers", () => {
    const summaries = new ExtractEncoder();
    const large = product({ text: `<Text>${"é ".repeat(300_000)}</Text>` });
    const products = scan(message(large, large), summaries);
    const encoded = encodeProducts(products, summaries.take());
    expect(decode(encoded)).toEqual(products.map(withEtag));
  });

  test("make the summaries of one chunk only, after a chunk with an error too", () => {
    const summaries = new ExtractEncoder();
    const scanner = new ChunkScanner(undefined, summaries);
    const text = message(product());
    expect(scanner.scan(bytesOf(text.replace("</ONIXMessage>", "</x>")), undefined, true).kind).toBe("error");
    for (let round = 0; round < 2; round++) {
      scanner.scan(bytesOf(text), undefined, true);
      const taken = summaries.take();
      expect(taken.summaries.ends).toHaveLength(1);
      expect(taken.searchDocuments.ends).toHaveLength(PARTS.length);
    }
  });

  test("accept a chunk without products", () => {
    expect(decodeProducts(structuredClone(encodeProducts([])), DOCUMENT_START)).toEqual([]);
  });

  test("add the position of the chunk to positions of products and complaints", () => {
    const encoded = encodeProducts(scan(message(product({ detail: "<Foo/>" })).replaceAll("\n", " ")));
    const [first] = decodeProducts(encoded, { line: 7, column: 11 });
    const [relative] = decodeProducts(encoded, DOCUMENT_START);
    expect([first!.line, first!.column]).toEqual([7, relative!.column + 10]);
    expect(first!.complaints[0]).toMatchObject({ line: 7, column: relative!.complaints[0]!.column + 10 });
    const later = encodeProducts(scan(message(product({ detail: "<Foo/>" }))));
    const [second] = decodeProducts(later, { line: 7, column: 11 });
    expect([second!.line, second!.column]).toEqual([10, 1]);
  });
});
