import { describe, expect, test } from "bun:test";
import { bytesOf } from "../feed/testing/streams.ts";
import { firstProductStart, lastProductStart } from "./product-start.ts";

describe("firstProductStart and lastProductStart", () => {
  test.each([
    ["<Header/><Product>", 9],
    ["<Header/><product>", 9],
    ['<Header/><Product datestamp="x">', 9],
    ["<Header/><Product\n>", 9],
    ["<Header/><Product/>", 9],
    ["<x:Header/><x:Product>", 11],
    ["<ñ:Header/><ñ:Product>", 12],
    ["é<Product>", 2],
  ])("return the offset of the tag in %j", (text, offset) => {
    expect(firstProductStart(bytesOf(text), 1)).toBe(offset);
    expect(lastProductStart(bytesOf(text))).toBe(offset);
  });

  test.each([
    "<Product>",
    " </Product>",
    " <x:/Product>",
    " <ProductForm>",
    " <RelatedProduct>",
    " <a b:Product>",
    " Product>",
    " :Product>",
    " <PRODUCT>",
    " <Product",
    `<${"x".repeat(100)}:Product>`,
    "roduct>",
    "",
  ])("return -1 for %j", (text) => {
    expect(firstProductStart(bytesOf(text), 1)).toBe(-1);
    expect(lastProductStart(bytesOf(text))).toBe(-1);
  });

  test("return the first and the last of several", () => {
    const bytes = bytesOf("<Product><ProductForm/></Product><Product></Product><Product");
    expect(firstProductStart(bytes, 0)).toBe(0);
    expect(firstProductStart(bytes, 1)).toBe(33);
    expect(lastProductStart(bytes)).toBe(33);
  });
});
