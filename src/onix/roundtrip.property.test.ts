/** Products that are generated from the element table: a record that is written and read again is the same record. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { codeLists } from "./code-lists.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import { interleavedNames } from "./interleaving.ts";
import { type StoredProduct, scanMessage, storedProducts, writeMessage } from "./testing/scan-message.ts";
import { messageEnd, messageStart } from "./writer/message.ts";

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
  constructor(private readonly draw: fc.GeneratorValue) {}

  product(): string {
    const blocks = [...elementByTag("Product")!.children.keys()].filter((name) => !ALWAYS_PRESENT.has(name));
    const chosen = this.some(blocks, 4);
    return `<Product><RecordReference>r</RecordReference><NotificationType>03</NotificationType>
      <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788437604947</IDValue></ProductIdentifier>
      ${chosen.flatMap((name) => this.members(name, "Product", 0)).join("")}</Product>`;
  }

  /** Also repeats elements that may occur only once. */
  private members(name: string, parent: string, depth: number): string[] {
    const rule = elementByTag(name)!;
    const repeats = elementByTag(parent)!.children.get(name)!.repeats;
    const max = repeats ? 3 : rule.kind === "flag" ? 1 : 2;
    const count = this.draw(fc.integer, { min: 1, max });
    return Array.from({ length: count }, () => this.element(rule, depth));
  }

  private element(rule: ElementRule, depth: number): string {
    if (rule.kind === "flag") return this.flag(rule.name);
    if (rule.kind === "composite") {
      const children = [...rule.children.keys()].filter(
        (name) => depth < 4 || elementByTag(name)?.kind !== "composite",
      );
      const inOrder = this.some(children, 6).flatMap((name) => this.members(name, rule.name, depth + 1));
      const inside = interleavedNames(rule.name) ? this.shuffled(inOrder) : inOrder;
      return `<${rule.name}>${inside.join("")}</${rule.name}>`;
    }
    const codes = rule.lists.flatMap((list) => codesOf.get(list) ?? []);
    if (codes.length > 0) return `<${rule.name}>${this.one(codes)}</${rule.name}>`;
    const attributes = rule.kind === "markup" ? this.one(ATTRIBUTES) : "";
    const text = this.one(attributes.includes("05") ? XHTML : TEXTS);
    return `<${rule.name}${attributes}>${text}</${rule.name}>`;
  }

  private flag(name: string): string {
    const content = this.one(["", "", "false", "true", "<b>x</b> &amp;"]);
    return `<${name}>${content}</${name}>`;
  }

  private one<T>(items: readonly T[]): T {
    return this.draw(fc.constantFrom<T[]>, ...items) as T;
  }

  private shuffled<T>(items: readonly T[]): T[] {
    return this.draw(fc.shuffledSubarray<T>, [...items], { minLength: items.length });
  }

  /** Returns some of the items, in order. */
  private some<T>(items: readonly T[], maxItems: number): T[] {
    return this.draw(fc.subarray<T>, [...items], { maxLength: Math.min(maxItems, items.length) });
  }
}

const ALWAYS_PRESENT = new Set(["RecordReference", "NotificationType", "ProductIdentifier"]);

async function readAll(xml: string): Promise<StoredProduct[]> {
  return storedProducts(await scanMessage(xml));
}

test("a record that writeProduct writes is read back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom("3.0" as const, "3.1" as const), async (draw, release) => {
      const product = new ProductGenerator(draw).product();
      const first = await readAll(
        messageStart({ release, sender: "test", sent: "19700101" }) + product + messageEnd(),
      );
      const xml = writeMessage(release, first);
      const second = await readAll(xml);
      expect(second).toEqual(first);
      expect(writeMessage(release, second)).toBe(xml);
    }),
    { numRuns: process.env.FUZZ ? 20_000 : 300 },
  );
});
