/**
 * Writes what ONIX 3.0 allows and ONIX 3.1 does not: elements that 3.1 has removed, and repeats with equal values. Where
 * 3.1 says the same in another way, that way is written. The rest is left out, and a comment in the product names it. A
 * message of 3.1 has to be valid as a whole.
 */
import { escapeText } from "../../xml/markup.ts";
import schemaTable from "../generated/schema.json" with { type: "json" };
import { composites, firstText, texts } from "../record/field-access.ts";
import type { RecordFields, RecordValue } from "../record/record-fields.ts";

/** One element with everything inside it, on lines of its own. */
export interface WrittenElement {
  /** The reference name. */
  readonly name: string;
  readonly xml: string;
}

export type Attribute = readonly [name: string, value: string];

/** Removed elements without an equivalent, by the composite that they were in. */
const WITHOUT_EQUIVALENT: Readonly<Record<string, string>> = {
  AlternativeName: "Gender",
  Contributor: "Gender",
  NameAsSubject: "Gender",
  DescriptiveDetail: "Conference",
  MarketPublishingDetail: "PromotionContact",
  Price: "CurrencyZone",
  SupplyDetail: "Reissue",
};

/** Children of a composite whose values in the field differ from each other. `.` is the child itself. */
interface UniqueChildren {
  readonly child: string;
  /** An element, `@name` or `.`. */
  readonly field: string;
}

/** The constraints of ONIX 3.1 that ONIX 3.0 does not have, by composite. */
const NEW_CONSTRAINTS: ReadonlyMap<string, readonly UniqueChildren[]> = new Map(
  Object.entries(schemaTable as Record<string, { unique?: string | readonly (string | null)[] }>).flatMap(
    ([composite, { unique }]) => {
      if (!Array.isArray(unique)) return [];
      const [before, after] = unique.map((text: string | null) => text?.split("; ") ?? []);
      const added = after!.filter((constraint) => !before!.includes(constraint));
      const constraints = added.map((constraint) => constraint.split(" "));
      return [[composite, constraints.map(([child, field]) => ({ child: child!, field: field! }))] as const];
    },
  ),
);

/** AudienceCodeType (list 29) of the codes that AudienceCode has (list 28). */
const ONIX_AUDIENCE = "01";

/** SalesRightsType (list 46): for sale. */
const FOR_SALE: ReadonlySet<string> = new Set(["01", "02", "07", "08"]);

export class Release31 {
  readonly #tagOf: (name: string) => string;
  readonly #leftOut = new Set<string>();
  readonly #repeated = new Set<string>();

  constructor(tagOf: (name: string) => string) {
    this.#tagOf = tagOf;
  }

  /** Returns the elements of one name in the way of ONIX 3.1. Returns undefined when they stay. */
  members(
    parent: string | undefined,
    name: string,
    value: RecordValue,
    elements: readonly WrittenElement[],
    indent: string,
  ): readonly WrittenElement[] | undefined {
    if (parent === undefined) return undefined;
    // The attribute of Date says the same: see `attributes`.
    if (name === "DateFormat" && parent.endsWith("Date")) return [];
    if (name === "AudienceCode" && parent === "DescriptiveDetail")
      return [...new Set(texts(value))].map((code) => this.#audience(code, indent));
    if (WITHOUT_EQUIVALENT[parent] !== name || elements.length === 0) return undefined;
    this.#leftOut.add(`${name} of ${parent}`);
    return [];
  }

  /** Gives a Date the attribute that ONIX 3.1 has instead of DateFormat. */
  attributes(name: string, own: readonly Attribute[], siblings: RecordFields): readonly Attribute[] {
    const format = name === "Date" ? firstText(siblings.DateFormat) : "";
    if (format === "" || own.some(([attribute]) => attribute === "dateformat")) return own;
    return [["dateformat", format], ...own];
  }

  /** Returns the children of a composite as ONIX 3.1 allows them. */
  children(
    composite: string,
    fields: RecordFields,
    written: readonly WrittenElement[],
    indent: string,
  ): readonly WrittenElement[] {
    let elements = written;
    if (composite === "PublishingDetail") elements = this.#moveRestrictions(fields, written, indent);
    if (composite === "DescriptiveDetail") elements = this.#withoutEqualAudiences(fields, written, indent);
    for (const constraint of NEW_CONSTRAINTS.get(composite) ?? []) {
      elements = this.#withoutRepeats(composite, constraint, fields, elements, indent);
    }
    return elements;
  }

  /** Keeps the first of the children that have the same value. A repeated SequenceNumber is left out on its own. */
  #withoutRepeats(
    composite: string,
    { child, field }: UniqueChildren,
    fields: RecordFields,
    elements: readonly WrittenElement[],
    indent: string,
  ): readonly WrittenElement[] {
    const keys = keysOf(fields, child, field);
    if (new Set(keys).size === keys.length) return elements;
    const seen = new Set<string>();
    let index = 0;
    return elements.flatMap((element) => {
      if (element.name !== child) return [element];
      const key = keys[index++] ?? "";
      if (key === "" || !seen.has(key)) {
        seen.add(key);
        return [element];
      }
      if (field !== ".") this.#repeated.add(`${child} of ${composite}, with the same ${field}`);
      if (field !== "SequenceNumber") return [];
      const line = new RegExp(`^${indent}  <${this.#tagOf(field)}[ >].*\n`, "m");
      return [{ ...element, xml: element.xml.replace(line, "") }];
    });
  }

  /** Leaves out the audiences of AudienceCode that the product has as Audience too. */
  #withoutEqualAudiences(
    fields: RecordFields,
    elements: readonly WrittenElement[],
    indent: string,
  ): readonly WrittenElement[] {
    const codes = new Set(texts(fields.AudienceCode));
    if (codes.size === 0) return elements;
    const own = composites(fields.Audience).filter(
      ({ AudienceCodeType }) => firstText(AudienceCodeType) === ONIX_AUDIENCE,
    );
    const equal = new Set(
      own.map(({ AudienceCodeValue }) => firstText(AudienceCodeValue)).filter((code) => codes.has(code)),
    );
    const left = new Set([...equal].map((code) => this.#audience(code, indent).xml));
    return elements.filter(({ name, xml }) => name !== "Audience" || !left.delete(xml));
  }

  /** Moves the restrictions of PublishingDetail into the sales rights that they restrict. */
  #moveRestrictions(
    fields: RecordFields,
    elements: readonly WrittenElement[],
    indent: string,
  ): readonly WrittenElement[] {
    const restrictions = elements.filter(({ name }) => name === "SalesRestriction");
    if (restrictions.length === 0) return elements;
    const moved = restrictions.map(({ xml }) => xml).join("");
    const rights = [fields.SalesRights ?? []].flat() as readonly RecordFields[];
    const types = rights.map((one) => firstText(one?.SalesRightsType));
    const territoryEnd = `${indent}  </${this.#tagOf("Territory")}>\n`;
    let [index, isMoved] = [0, false];
    const others = elements.flatMap((element) => {
      if (element.name === "SalesRestriction") return [];
      if (element.name !== "SalesRights" || !FOR_SALE.has(types[index++] ?? "")) return [element];
      const at = element.xml.indexOf(territoryEnd);
      if (at < 0) return [element];
      isMoved = true;
      const end = at + territoryEnd.length;
      return [{ ...element, xml: element.xml.slice(0, end) + moved + element.xml.slice(end) }];
    });
    if (!isMoved) this.#leftOut.add("SalesRestriction of PublishingDetail, without SalesRights for sale");
    return others;
  }

  /** Returns a comment about what was left out; empty when nothing was. */
  comment(indent: string): string {
    const line = (reason: string, names: ReadonlySet<string>) =>
      names.size === 0
        ? ""
        : `${indent}<!-- Left out, because ONIX 3.1 ${reason}: ${[...names].join("; ")} -->\n`;
    return line("has removed it", this.#leftOut) + line("allows it once", this.#repeated);
  }

  #audience(code: string, indent: string): WrittenElement {
    const [audience, type, value] = ["Audience", "AudienceCodeType", "AudienceCodeValue"].map(this.#tagOf);
    const xml = `${indent}<${audience}>\n${indent}  <${type}>${ONIX_AUDIENCE}</${type}>\n${indent}  <${value}>${escapeText(code)}</${value}>\n${indent}</${audience}>\n`;
    return { name: "Audience", xml };
  }
}

/** Returns the value of the field for each child of a name; empty where it is missing. */
function keysOf(fields: RecordFields, child: string, field: string): readonly string[] {
  const values = [fields[child] ?? [], fields[`${child}#more`] ?? []].flat() as readonly RecordValue[];
  if (field === ".") return values.map(String);
  if (!field.startsWith("@")) return values.map((value) => firstText((value as RecordFields)?.[field]));
  const attributes = [fields[child + field] ?? []].flat() as readonly RecordValue[];
  return values.map((_, index) => (attributes[index] as string | undefined) ?? "");
}
