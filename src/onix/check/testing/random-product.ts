/** Generates products from the content models, and changes them at random. The same seed gives the same products. */
import { codeLists } from "../../code-lists.ts";
import { elementNumber } from "../../element-numbers.ts";
import { elementByTag } from "../../element-table.ts";
import type { OnixRelease } from "../../message-version.ts";
import type { XmlElement } from "../../testing/xml-tree.ts";
import { START } from "../content-model.ts";
import { type SchemaRow, schemaOf } from "../schema-rows.ts";

type MutableElement = { name: string; attributes: [string, string][]; children: (MutableElement | string)[] };

/** Beyond this depth, optional children are left out. */
const MAX_DEPTH = 3;

const VALUES: Readonly<Record<string, readonly string[]>> = {
  CountryCodeList: ["ES", "ES FR"],
  DateOrDateTime: ["20240131", "20240131T1200Z"],
  EmailString: ["a@example.com"],
  Flow: ["A text", "A <p>text</p>"],
  Integer: ["-3", "7"],
  MultiLevelNumber: ["1", "2.10"],
  MultiLevelNumberOrHyphen: ["1", "-.2"],
  NonEmptyString: ["A text", "x"],
  NonEmptyURI: ["https://example.com/"],
  PercentDecimal: ["0", "21"],
  PositiveDecimal: ["9.90", "3"],
  PositiveDecimalOrZero: ["0", "9.90"],
  PositiveInteger: ["1", "2", "3"],
  PositiveIntegerOrZero: ["0", "12"],
  RegionCodeList: ["WORLD", "ES-CN"],
  RomanNumeralString: ["xvi"],
  TimeOrDuration: ["0013000"],
  Year: ["2024"],
  YearOrYearRange: ["2024", "2023-2024"],
};

const WRONG_VALUES = [
  "",
  " ",
  "9,90",
  "0",
  "-1",
  "1.5",
  "100.5",
  "abc",
  "2024-01-01",
  "20240230",
  " 01",
  "01\n",
  "two words",
  "a\nb",
  "99999999999",
  "XX YY",
];

const ATTRIBUTES: readonly (readonly [string, string])[] = [
  ["language", "spa"],
  ["language", "xx"],
  ["textformat", "05"],
  ["textformat", "99"],
  ["dateformat", "05"],
  ["dateformat", "zz"],
  ["textscript", "Latn"],
  ["collationkey", ""],
  ["collationkey", "key"],
  ["datestamp", "20240101"],
  ["datestamp", "2024-01-01"],
  ["sourcetype", "01"],
  ["sourcetype", "1"],
  ["sourcename", "A sender"],
  ["refname", "Product"],
  ["unknown", "1"],
];

export class RandomProducts {
  constructor(
    private readonly release: OnixRelease,
    private state: number,
    /** The codes that both the schema and the table have. */
    private readonly isSharedCode: (list: number, code: string) => boolean,
  ) {}

  /** Returns the XML of a product, changed in `changes` places. */
  product(number: number, changes: number): string {
    const row = schemaOf(this.release).row(elementNumber("Product"));
    const product = this.element("Product", row, 0);
    product.children = [
      element("RecordReference", `ref-${number}`),
      element("NotificationType", "03"),
      {
        name: "ProductIdentifier",
        attributes: [],
        children: [element("ProductIDType", "15"), element("IDValue", "9788437604947")],
      },
      ...product.children.filter(
        (child) =>
          typeof child !== "string" &&
          ![
            "RecordReference",
            "NotificationType",
            "ProductIdentifier",
            "DeletionText",
            "RecordSourceType",
            "RecordSourceIdentifier",
            "RecordSourceName",
          ].includes(child.name),
      ),
    ];
    for (let change = 0; change < changes; change++) this.change(product);
    return serialize(product);
  }

  private element(name: string, row: SchemaRow, depth: number): MutableElement {
    const { content, type } = row;
    if (type !== undefined) return element(name, this.value(name, type));
    const children: MutableElement[] = [];
    if (content === undefined) return { name, attributes: [], children };
    for (let state = START; ; ) {
      const following = content.model.following[state]!;
      const mayEnd = content.model.mayEnd[state]!;
      if (following.length === 0 || (mayEnd && (depth > MAX_DEPTH || this.chance(0.35)))) break;
      state = this.pick(depth > MAX_DEPTH ? following.slice(0, 3) : following);
      children.push(this.element(content.model.particle(state).name, content.rowOf(state), depth + 1));
    }
    return { name, attributes: [], children };
  }

  private value(name: string, type: string): string {
    if (type !== "code") return this.pick(VALUES[type]!);
    const { lists } = elementByTag(name)!;
    const codes = Object.values(codeLists).flatMap(({ list, codes }) =>
      lists.includes(list) ? codes.map(([code]) => ({ list, code })) : [],
    );
    const shared = codes.filter(({ list, code }) => this.isSharedCode(list, code));
    return this.pick(shared.length > 0 ? shared : codes)?.code ?? "01";
  }

  private change(product: MutableElement): void {
    const all = descendants(product);
    if (all.length === 0) return;
    const { parent, child } = this.pick(all);
    const index = parent.children.indexOf(child);
    switch (Math.floor(this.random() * 6)) {
      case 0:
        parent.children.splice(index, 1);
        break;
      case 1:
        parent.children.splice(index, 0, structuredClone(child));
        break;
      case 2: {
        const other = Math.floor(this.random() * parent.children.length);
        [parent.children[index], parent.children[other]] = [parent.children[other]!, child];
        break;
      }
      case 3:
        child.attributes.push([
          ...this.pick(ATTRIBUTES.filter(([name]) => child.attributes.every(([own]) => own !== name))),
        ]);
        break;
      case 4: {
        const texts = all.filter((each) => each.child.children.every((part) => typeof part === "string"));
        this.pick(texts).child.children = [this.pick(WRONG_VALUES)];
        break;
      }
      default: {
        // An element of the same parent in either release, in any place.
        const names = [...(elementByTag(parent.name)?.children.keys() ?? [])];
        const name = this.pick(names);
        const added = this.element(name, schemaOf(this.release).row(elementNumber(name)), MAX_DEPTH);
        parent.children.splice(index, 0, added);
      }
    }
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }

  /** The generator mulberry32. */
  private random(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

function element(name: string, text: string): MutableElement {
  return { name, attributes: [], children: [text] };
}

/** Returns all elements below one, each with its parent. Identifiers of the product stay as they are. */
function descendants(parent: MutableElement): { parent: MutableElement; child: MutableElement }[] {
  return parent.children.flatMap((child) => {
    if (typeof child === "string") return [];
    if (["RecordReference", "NotificationType", "ProductIdentifier"].includes(child.name)) return [];
    return [{ parent, child }, ...descendants(child)];
  });
}

function serialize({ name, attributes, children }: XmlElement | MutableElement): string {
  const attributeText = attributes.map(([key, value]) => ` ${key}="${value}"`).join("");
  const content = children.map((child) => (typeof child === "string" ? child : serialize(child))).join("");
  return `<${name}${attributeText}>${content}</${name}>`;
}
