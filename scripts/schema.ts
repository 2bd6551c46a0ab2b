/**
 * Reads the XSDs of ONIX: content models as expressions, datatypes, attributes and unique constraints of each element.
 *
 * An expression is written as in a DTD: `A` once, `A?` optional, `A+` at least once, `A*` any number, `,` a sequence,
 * `|` a choice. `A=T` is an element A that is declared in its place with the type T.
 */
import { join } from "node:path";
import { SaxesParser } from "saxes";

export interface SchemaRow {
  /** Of a composite: its children. */
  model?: string;
  /** Of a data element: its datatype. Code lists are `code`; their numbers are in the element table. */
  type?: string;
  /** The names of its attributes, without those that every element may have. */
  attributes?: string[];
  /** `selector field field…`: the nodes of the selector differ in the values of the fields. */
  unique?: string[];
}

/** An element, with the text that stands in it directly. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** A part of a content model. */
type Particle = { readonly suffix?: string } & (
  | { readonly name: string }
  | { readonly sequence: readonly Particle[] }
  | { readonly choice: readonly Particle[] }
);

/** By minOccurs and maxOccurs. */
const SUFFIXES: Readonly<Record<string, string>> = { "0 1": "?", "1 unbounded": "+", "0 unbounded": "*" };

/** Datatypes of 3.0 with the name that the same type has in 3.1. */
const NAMES_IN_3_0: Readonly<Record<string, string>> = {
  PositiveDecimal: "PositiveDecimalOrZero",
  StrictPositiveDecimal: "PositiveDecimal",
  PositiveInteger: "PositiveIntegerOrZero",
  StrictPositiveInteger: "PositiveInteger",
};

/** Every element may have these. */
const GENERAL_ATTRIBUTES = new Set(["refname", "shortname", "datestamp", "sourcename", "sourcetype"]);

/** Returns the rows of all elements, and of the types that elements are declared with in their place. */
export async function readSchema(folder: string, release: "3.0" | "3.1"): Promise<Map<string, SchemaRow>> {
  const file = join(folder, `schemas/${release}/ONIX_BookProduct_${release}_reference.xsd`);
  const declarations = parseXml(await Bun.file(file).text()).children;
  const declared = (kind: string, name: string) =>
    declarations.find((node) => node.name === kind && node.attributes.name === name);
  const rows = new Map<string, SchemaRow>();

  for (const node of declarations) {
    const { name } = node.attributes;
    if (node.name === "element") {
      const type = child(node, "complexType");
      if (!type) throw new Error(`${name} has no complexType`);
      rows.set(name!, { ...rowOf(type), ...uniqueOf(node) });
    } else if (node.name === "complexType") rows.set(name!, rowOf(node));
  }
  return rows;

  function rowOf(type: XmlElement): SchemaRow {
    const attributes = [...new Set(attributesOf(type))]
      .filter((name) => !GENERAL_ATTRIBUTES.has(name))
      .sort();
    return { ...contentOf(type), ...(attributes.length > 0 && { attributes }) };
  }

  function contentOf(type: XmlElement): SchemaRow {
    const content = child(type, "simpleContent") ?? child(type, "complexContent");
    if (content) {
      const extension = child(content, "extension")!;
      const base = extension.attributes.base!;
      if (base === "Flow") return { type: "Flow" };
      const extended = declared("complexType", base);
      if (!extended) return { type: datatype(base) };
      return { model: format(sequence([...particles(extended), ...particles(extension)].map(particle))) };
    }
    const parts = particles(type);
    return parts.length === 0 ? {} : { model: format(sequence(parts.map(particle))) };
  }

  function datatype(base: string): string {
    if (/^List\d+$/.test(base)) return "code";
    const name = base.replace(/^dt\./, "");
    return release === "3.0" ? (NAMES_IN_3_0[name] ?? name) : name;
  }

  /** Reads an element, a group, a sequence or a choice. */
  function particle(node: XmlElement): Particle {
    const { ref, name, type, minOccurs = "1", maxOccurs = "1" } = node.attributes;
    const inner = (): Particle[] => particles(node).map(particle);
    if (node.name === "element") return occurring({ name: ref ?? `${name}=${type}` }, minOccurs, maxOccurs);
    if (node.name === "choice") return occurring({ choice: inner() }, minOccurs, maxOccurs);
    const content = node.name === "group" ? particles(declared("group", ref!)!).map(particle) : inner();
    return occurring(sequence(content), minOccurs, maxOccurs);
  }

  function attributesOf(node: XmlElement): string[] {
    return node.children.flatMap((part) => {
      if (part.name === "attribute") return [part.attributes.name!];
      if (part.name === "attributeGroup")
        return attributesOf(declared("attributeGroup", part.attributes.ref!)!);
      if (part.name === "extension") {
        const base = declared("complexType", part.attributes.base!);
        return [...(base ? attributesOf(base) : []), ...attributesOf(part)];
      }
      return ["simpleContent", "complexContent"].includes(part.name) ? attributesOf(part) : [];
    });
  }
}

function uniqueOf(element: XmlElement): SchemaRow {
  const unique = element.children
    .filter(({ name }) => name === "unique")
    .map(({ children }) => children.map((part) => part.attributes.xpath!.replaceAll("onix:", "")).join(" "));
  return unique.length > 0 ? { unique } : {};
}

/** Joins particles, and dissolves sequences that are inside a sequence. */
function sequence(parts: readonly Particle[]): Particle {
  const flat = parts.flatMap((part) => ("sequence" in part && !part.suffix ? part.sequence : [part]));
  return flat.length === 1 ? flat[0]! : { sequence: flat };
}

function occurring(part: Particle, min: string, max: string): Particle {
  if (min === "1" && max === "1") return part;
  if (min === "1" && max === "2") return { sequence: [part, { ...part, suffix: "?" }] };
  const suffix = SUFFIXES[`${min} ${max}`];
  if (suffix === undefined)
    throw new Error(`${format(part)} occurs ${min} to ${max} times: write a rule for it`);
  return part.suffix ? { sequence: [part], suffix } : { ...part, suffix };
}

function format(part: Particle): string {
  const { suffix = "" } = part;
  if ("name" in part) return part.name + suffix;
  if ("choice" in part) return `(${part.choice.map(format).join("|")})${suffix}`;
  const text = part.sequence.map(format).join(",");
  return suffix ? `(${text})${suffix}` : text;
}

function particles(node: XmlElement): XmlElement[] {
  return node.children.filter(({ name }) => ["element", "group", "sequence", "choice"].includes(name));
}

function child(node: XmlElement, name: string): XmlElement | undefined {
  return node.children.find((part) => part.name === name);
}

/** Returns the root element of a document. Names in the namespace of schemas lose its prefix. */
export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser();
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const addText = (text: string) => {
    open.at(-1)!.text += text;
  };
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name: name.replace(/^xs:/, ""), attributes, children: [], text: "" };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return root.children[0]!;
}
