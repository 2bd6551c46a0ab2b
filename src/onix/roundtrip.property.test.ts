/** Products made from the standard's own table: a record that is written and read again is the same record. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { etagOf } from "../catalog/entry.ts";
import { bytesOf, streamOf } from "../feed/testing/streams.ts";
import { codeLists } from "./codes.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import { isScanned, readFast } from "./fast/reader.ts";
import { readFeed } from "./reader.ts";
import { type BookRecord, type Origin, readProduct, recordOf } from "./record.ts";
import { messageEnd, messageStart, writeProduct } from "./writer.ts";

const codesOf = new Map(
  Object.values(codeLists).map(({ list, codes }) => [list, codes.map(([code]) => code)]),
);

const TEXTS = [
  "word",
  "two words",
  " blanks ",
  "",
  "a &amp; b &lt; c &gt; &quot;d&quot;",
  "<![CDATA[<b>x</b> & y]]>",
  "&lt;p&gt;escaped&lt;/p&gt;",
  "é中😀\u0301",
  "&#233;&nbsp;&eacute;",
  "line\nfeed\ttab",
  "<!-- gone -->stays",
  "<i>elements</i><b/> without their format",
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

/** Draws the parts of a product, so that fast-check can make a failing one smaller. */
class Maker {
  /** With elements twice, too, that may stand only once. */
  constructor(
    private readonly draw: fc.GeneratorValue,
    private readonly mayRepeatAll = false,
  ) {}

  product(): string {
    const blocks = [...elementByTag("Product")!.children.keys()].filter((name) => !GIVEN.has(name));
    const some = this.some(blocks, 4);
    return `<Product><RecordReference>r</RecordReference><NotificationType>03</NotificationType>
      <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788437604947</IDValue></ProductIdentifier>
      ${some.map((name) => this.members(name, "Product", 0)).join("")}</Product>`;
  }

  private members(name: string, parent: string, depth: number): string {
    const rule = elementByTag(name)!;
    const repeats = elementByTag(parent)!.children.get(name)!.repeats;
    const most = repeats ? 3 : this.mayRepeatAll && rule.kind !== "flag" ? 2 : 1;
    const count = this.draw(fc.integer, { min: 1, max: most });
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

  /** Some of them, in their order. */
  private some<T>(items: readonly T[], most: number): T[] {
    return this.draw(fc.subarray<T>, [...items], { maxLength: Math.min(most, items.length) });
  }
}

const GIVEN = new Set(["RecordReference", "NotificationType", "ProductIdentifier"]);

interface Read {
  readonly record: BookRecord;
  readonly origin: Origin;
}

async function readAll(xml: string): Promise<Read[]> {
  const found: Read[] = [];
  for await (const { products, header } of readFeed(streamOf(bytesOf(xml)))) {
    for (const element of products) {
      const product = readProduct(element, header.release);
      found.push(recordOf(product, product.isbn!));
    }
  }
  return found;
}

const message = (products: string, release: "3.0" | "3.1") =>
  messageStart(release, "test", new Date(0)) + products + messageEnd;
const stored = (value: unknown) => JSON.parse(JSON.stringify(value));

test("written and read again, it is the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom("3.0" as const, "3.1" as const), async (draw, release) => {
      const [first] = await readAll(message(new Maker(draw, true).product(), release));
      const xml = writeProduct(stored(first!.record), "r", stored(first!.origin));
      const [second] = await readAll(message(xml, release));
      expect(stored(second)).toEqual(stored(first));
      expect(writeProduct(stored(second!.record), "r", stored(second!.origin))).toBe(xml);
    }),
    { numRuns: process.env.FUZZ ? 20_000 : 300 },
  );
});

test("the fast way to a record, where it is taken, ends at the same bytes", async () => {
  let scanned = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const xml = message(new Maker(draw).product(), "3.0");
      const [long] = await readAll(xml);
      for await (const { products } of readFast(streamOf(bytesOf(xml)))) {
        for (const product of products) {
          if (!isScanned(product)) continue;
          scanned++;
          const expected = bytesOf(JSON.stringify(long!.record));
          expect(new TextDecoder().decode(product.body)).toBe(JSON.stringify(long!.record));
          expect(etagOf(product.body)).toBe(etagOf(expected));
        }
      }
    }),
    { numRuns: process.env.FUZZ ? 20_000 : 300 },
  );
  expect(scanned).toBeGreaterThan(20);
});
