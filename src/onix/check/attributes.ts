/** Checks the attributes of elements: whether ONIX has them there, and their values. */
import { decodeAttribute } from "../../xml/references.ts";
import { ATTRIBUTE_LISTS, GENERAL_ATTRIBUTES } from "../code-lists.ts";
import { elementName, packCode } from "../element-numbers.ts";
import { elementByTag } from "../element-table.ts";
import type { ElementTree } from "../reader/element-tree.ts";
import { type ComplaintList, quote } from "./complaint-list.ts";
import { DATATYPES } from "./datatypes.ts";
import { packedCodes, type SchemaRow } from "./schema-rows.ts";

/** The rule for a name, which is looked up once per name. */
interface AttributeRule {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly list: number | undefined;
  /** The packed codes of the list. */
  readonly codes: ReadonlySet<number> | undefined;
}

export class AttributeCheck {
  /** By the number of the name in the tree. */
  private rules: (AttributeRule | undefined)[] = [];

  constructor(private readonly complaints: ComplaintList) {}

  check(node: number, element: number, row: SchemaRow): void {
    const { tree } = this.complaints;
    const end = tree.attributesEnd(node);
    for (let index = tree.attributes[node]!; index < end; index++) {
      const rule = this.ruleOf(tree, index);
      if (rule.name.startsWith("xmlns") || rule.name.startsWith("xsi:")) continue;
      if (!row.attributes.has(rule.name) && !GENERAL_ATTRIBUTES.has(rule.name)) {
        const text = `${elementName(element)} has the attribute ${rule.name}, which ONIX does not have there.`;
        this.complaints.add("bad-attribute", node, text, rule.name);
      } else if (!this.isValid(tree, index, rule, element)) this.complaintValue(node, element, index, rule);
    }
  }

  private isValid(tree: ElementTree, index: number, rule: AttributeRule, element: number): boolean {
    const { input } = tree;
    const from = tree.attributeFrom[index]!;
    const to = tree.attributeTo[index]!;
    if (rule.codes) return rule.codes.has(packCode(input, from, to));
    switch (rule.name) {
      case "datestamp":
        return DATATYPES.DateOrDateTime.isValid(input, from, to);
      case "refname":
        return decodeAttribute(input, from, to).trim() === elementName(element);
      case "shortname":
        return decodeAttribute(input, from, to).trim() === elementByTag(elementName(element))?.short;
      default:
        return DATATYPES.NonEmptyString.isValid(input, from, to);
    }
  }

  private complaintValue(node: number, element: number, index: number, { name, list }: AttributeRule): void {
    const { tree } = this.complaints;
    const value = decodeAttribute(tree.input, tree.attributeFrom[index]!, tree.attributeTo[index]!);
    const reason = list === undefined ? "which is not valid" : `which is not in list ${list}`;
    const text = `${elementName(element)} has the attribute ${name} with ${quote(value)}, ${reason}.`;
    this.complaints.add("bad-attribute", node, text, `${name}=${value}`);
  }

  /** Numbers of names may change their meaning; their bytes do not. */
  private ruleOf(tree: ElementTree, index: number): AttributeRule {
    const number = tree.attributeName[index]!;
    const bytes = tree.attributeNames.bytesOf(number);
    const known = this.rules[number];
    if (known?.bytes === bytes) return known;
    const name = Buffer.from(bytes).toString();
    const list = Object.hasOwn(ATTRIBUTE_LISTS, name) ? ATTRIBUTE_LISTS[name] : undefined;
    const rule = { bytes, name, list, codes: list === undefined ? undefined : packedCodes([list]) };
    this.rules[number] = rule;
    return rule;
  }
}
