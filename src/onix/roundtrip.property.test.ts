/** Products that are generated from the element table: a record that is written and read again is the same record. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { bytesOf, streamOf } from "../feed/testing/streams.ts";
import { codeLists } from "./code-lists.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import { isScannedProduct, readFeedFast } from "./fast/fast-reader.ts";
import { readFeed } from "./feed-reader.ts";
import { type BookRecord, buildRecord, type Origin, readProduct } from "./record.ts";
import { MESSAGE_END, messageStart, writeProduct } from "./writer.ts";

const codesOf = new Map(
  Object.values(codeLists).map(({ list, codes }) => [list, codes.map(([code]) => code)]),
);

const TEXTS = [
  "word",
  "two words",
  " spaces ",
  "",
  "a &amp; b &lt; c &gt; &quot;d&quot;",
  "<![CDATA[<b>x</b> & y]]>",
  "&lt;p&gt;escaped&lt;/p&gt;",
  "é中😀\u0301",
  "&#233;&nbsp;&eacute;",
  "line\nfeed\ttab",
  "<!-- removed -->text",
  "<i>elements</i><b/> without textformat",
  "20240115",
  "9.99",
];
const XHTML = ["<p>one <em>two</em></p>", "<ul><li>a</li><li/></ul>", "text <br/> text", "<p>é &amp; 中</p>"];
const ATTRIBUTES = [
  "",
  "",
  "",
  ' language="eng"',
  ' datestamp="20240101"',
  ' textformat="02"',
  ' textformat="05"',
];

/** Generates a product from values that fast-check draws, so that it can shrink a failing one. */
class ProductGenerator {
  /** `mayRepeatAll` also repeats elements that may occur only once. */
  constructor(
    private readonly draw: fc.GeneratorValue,
    private readonly mayRepeatAll = false,
  ) {}

  product(): string {
    const blocks = [...elementByTag("Product")!.children.keys()].filter((name) => !ALWAYS_PRESENT.has(name));
    const chosen = this.some(blocks, 4);
    return `<Product><RecordReference>r</RecordReference><NotificationType>03</NotificationType>
      <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788437604947</IDValue></ProductIdentifier>
      ${chosen.map((name) => this.members(name, "Product", 0)).join("")}</Product>`;
  }

  private members(name: string, parent: string, depth: number): string {
    const rule = elementByTag(name)!;
    const repeats = elementByTag(parent)!.children.get(name)!.repeats;
    const max = repeats ? 3 : this.mayRepeatAll && rule.kind !== "flag" ? 2 : 1;
    const count = this.draw(fc.integer, { min: 1, max });
    return Array.from({ length: count }, () => this.element(rule, depth)).join("");
  }

  private element(rule: ElementRule, depth: number): string {
    if (rule.kind === "flag") return `<${rule.name}/>`;
    if (rule.kind === "composite") {
      const children = [...rule.children.keys()].filter(
        (name) => depth < 4 || elementByTag(name)?.kind !== "composite",
      );
      const inside = this.some(children, 6).map((name) => this.members(name, rule.name, depth + 1));
      return `<${rule.name}>${inside.join("")}</${rule.name}>`;
    }
    const codes = rule.lists.flatMap((list) => codesOf.get(list) ?? []);
    if (codes.length > 0) return `<${rule.name}>${this.one(codes)}</${rule.name}>`;
    const attributes = rule.kind === "markup" ? this.one(ATTRIBUTES) : "";
    const text = this.one(attributes.includes("05") ? XHTML : TEXTS);
    return `<${rule.name}${attributes}>${text}</${rule.name}>`;
  }

  private one<T>(items: readonly T[]): T {
    return this.draw(fc.constantFrom<T[]>, ...items) as T;
  }

  /** Returns some of the items, in order. */
  private some<T>(items: readonly T[], maxItems: number): T[] {
    return this.draw(fc.subarray<T>, [...items], { maxLength: Math.min(maxItems, items.length) });
  }
}

const ALWAYS_PRESENT = new Set(["RecordReference", "NotificationType", "ProductIdentifier"]);

interface BuiltRecord {
  readonly record: BookRecord;
  readonly origin: Origin;
}

async function readAll(xml: string): Promise<BuiltRecord[]> {
  const found: BuiltRecord[] = [];
  for await (const { products, header } of readFeed(streamOf(bytesOf(xml)))) {
    for (const element of products) {
      const product = readProduct(element, header.release);
      found.push(buildRecord(product, product.isbn!));
    }
  }
  return found;
}

const message = (products: string, release: "3.0" | "3.1") =>
  messageStart(release, "test", new Date(0)) + products + MESSAGE_END;
const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value));

test("a record that writeProduct writes is read back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom("3.0" as const, "3.1" as const), async (draw, release) => {
      const [first] = await readAll(message(new ProductGenerator(draw, true).product(), release));
      const xml = writeProduct(throughJson(first!.record), "r", throughJson(first!.origin));
      const [second] = await readAll(message(xml, release));
      expect(throughJson(second)).toEqual(throughJson(first));
      expect(writeProduct(throughJson(second!.record), "r", throughJson(second!.origin))).toBe(xml);
    }),
    { numRuns: process.env.FUZZ ? 20_000 : 300 },
  );
});

test("a scanned product has the same bytes as the record of the full reader", async () => {
  let scanned = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const xml = message(new ProductGenerator(draw).product(), "3.0");
      const [expectedRecord] = await readAll(xml);
      for await (const { products } of readFeedFast(streamOf(bytesOf(xml)))) {
        for (const product of products) {
          if (!isScannedProduct(product)) continue;
          scanned++;
          const expected = bytesOf(JSON.stringify(expectedRecord!.record));
          expect(new TextDecoder().decode(product.body)).toBe(JSON.stringify(expectedRecord!.record));
          expect(product.body).toEqual(expected);
        }
      }
    }),
    { numRuns: process.env.FUZZ ? 20_000 : 300 },
  );
  expect(scanned).toBeGreaterThan(20);
});
