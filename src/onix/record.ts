/** From a product to the book record that is served, and back to what the writer needs. */
import type { OnixElement } from "./element.ts";
import { elementByTag } from "./element-table.ts";
import { Builder, elementOfKey, type Fields, STRAY_TEXT, type Value } from "./fields.ts";
import { bookOf, hasWrongIsbn10, mendedIdentifier, missingIdentifiers, wrongIsbns } from "./identity.ts";
import { hasRightCheckDigit, type Isbn13 } from "./isbn.ts";
import type { Release } from "./release.ts";
import type { Remark, RemarkKind } from "./remark.ts";

/** A product of a feed, read but not yet a record. */
export interface Product {
  /** The sender's own; empty when there is none. */
  readonly reference: string;
  /** List 1. */
  readonly notification: string;
  readonly isbn: Isbn13 | undefined;
  readonly fields: Fields;
  readonly origin: Origin;
  readonly remarks: readonly Remark[];
  readonly line: number;
  readonly column: number;
}

/** How the product differed from its record, for the writer. Members are there only when they have something to say. */
export interface Origin {
  readonly release: Release;
  /** How many identifiers, the last ones, were completed by us. */
  readonly completed?: number;
  /** Identifiers as they were sent, by their place. */
  readonly sent?: Readonly<Record<string, string>>;
  /** Flags of DescriptiveDetail that were set by us, and those that were taken away because they were not true. */
  readonly set?: readonly string[];
  readonly unset?: readonly string[];
  /** `Builder.exceptions`, by child of the product. */
  readonly exceptions?: Readonly<Record<string, readonly number[]>>;
}

/** The record of the API: `_id`, the ISBN as its reference, and the product's fields. */
export interface BookRecord extends Fields {
  _id: string;
  RecordReference: string;
}

/** The blocks of a product, which an update (NotificationType 04) replaces as wholes. */
const BLOCKS: ReadonlySet<string> = new Set([
  "DescriptiveDetail",
  "CollateralDetail",
  "PromotionDetail",
  "ContentDetail",
  "PublishingDetail",
  "RelatedMaterial",
  "ProductionDetail",
  "ProductSupply",
]);

const product = elementByTag("Product")!;

export function readProduct(element: OnixElement, release: Release): Product {
  const remarks: Remark[] = [];
  const exceptions: Record<string, number[]> = {};
  const fields = Object.create(null) as Fields;
  const byName = Map.groupBy(element.children, (child) =>
    typeof child === "string" ? STRAY_TEXT : child.name,
  );
  // One builder for each child, so that the exceptions of a block go with it when it is replaced.
  const builders = [...byName].map(([name, children]) => {
    const builder = new Builder(remarks);
    return { name, builder, part: builder.fields({ ...element, attributes: [], children }, product) };
  });
  const order = (name: string) => product.children.get(name)?.order ?? Number.MAX_SAFE_INTEGER;
  builders.sort((a, b) => order(a.name) - order(b.name));
  for (const [name, value] of element.attributes) fields[`@${name}`] = value;
  for (const { name, builder, part } of builders) {
    Object.assign(fields, part);
    if (builder.exceptions.length > 0) exceptions[name] = builder.exceptions;
  }
  const flags = setFlags(fields);
  const identifiers = identifiersOf(fields);
  const isbn = bookOf(identifiers);
  const reference = text(fields.RecordReference);
  const note = (kind: RemarkKind, text: string) => remarks.push({ kind, text, ...place(element) });
  if (reference === "") note("no-reference", "The product has no RecordReference.");
  for (const wrong of wrongIsbns(identifiers)) note("bad-isbn", wrong);
  if (isbn && !hasRightCheckDigit(isbn)) note("wrong-check-digit", `The check digit of ${isbn} is wrong.`);
  if (hasWrongIsbn10(identifiers)) note("wrong-check-digit", "The check digit of the ISBN-10 is wrong.");
  for (const flag of flags.unset ?? []) note("contradiction", `${flag} stands beside what it denies.`);
  return {
    reference,
    notification: text(fields.NotificationType),
    isbn,
    fields,
    origin: { release, ...flags, ...(Object.keys(exceptions).length > 0 && { exceptions }) },
    remarks,
    ...place(element),
  };
}

/** The record of a whole product. */
export function recordOf(product: Product, isbn: Isbn13): { record: BookRecord; origin: Origin } {
  const { RecordReference: _, ...fields } = product.fields;
  const sent: Record<string, string> = {};
  const identifiers = identifiersOf(fields).map((identifier, at) => {
    const mended = mendedIdentifier(identifier);
    if (mended === undefined) return identifier;
    sent[at] = identifier.IDValue as string;
    return { ...identifier, IDValue: mended };
  });
  const missing = missingIdentifiers(identifiers, isbn);
  const record = Object.create(null) as BookRecord;
  record._id = idOf(isbn);
  record.RecordReference = isbn;
  for (const [name, value] of Object.entries(fields)) {
    // A foreign element of that name was remarked upon; the id is ours.
    if (name === "_id") continue;
    record[name] = name === "ProductIdentifier" ? [...identifiers, ...missing] : value;
  }
  const origin = {
    ...product.origin,
    ...(missing.length > 0 && { completed: missing.length }),
    ...(Object.keys(sent).length > 0 && { sent }),
  };
  return { record, origin };
}

/** Whether a product has what ONIX asks of a complete one: blocks 1, 4 and 6. */
export function isWhole({ fields }: Product): boolean {
  return ["DescriptiveDetail", "PublishingDetail", "ProductSupply"].every((block) => block in fields);
}

/** A record with the blocks of an update in the place of its own; its identifiers and its status stay. */
export function withBlocks(
  old: { record: BookRecord; origin: Origin },
  update: Product,
): { record: BookRecord; origin: Origin } {
  const carried = Object.keys(update.fields).filter(isOfBlock);
  const replaced = new Set(carried.map(elementOfKey));
  const kept = Object.keys(old.record).filter((name) => !replaced.has(elementOfKey(name)));
  const record = Object.create(null) as BookRecord;
  const order = (name: string) =>
    name.startsWith("@") || name === "_id" ? -1 : (product.children.get(elementOfKey(name))?.order ?? 1e6);
  for (const name of [...kept, ...carried].sort((a, b) => order(a) - order(b))) {
    record[name] = (replaced.has(elementOfKey(name)) ? update.fields[name] : old.record[name])!;
  }
  const exceptions = Object.fromEntries([
    ...Object.entries(old.origin.exceptions ?? {}).filter(([name]) => !replaced.has(name)),
    ...Object.entries(update.origin.exceptions ?? {}).filter(([name]) => replaced.has(name)),
  ]);
  const { set, unset, exceptions: _, ...origin } = old.origin;
  const flags = replaced.has("DescriptiveDetail") ? update.origin : { set, unset };
  return {
    record,
    origin: {
      ...origin,
      ...(flags.set && { set: flags.set }),
      ...(flags.unset && { unset: flags.unset }),
      ...(Object.keys(exceptions).length > 0 && { exceptions }),
    },
  };
}

function isOfBlock(name: string): boolean {
  return BLOCKS.has(elementOfKey(name));
}

/** 24 hexadecimal digits made from the ISBN: the same book has the same id on every machine. */
export function idOf(isbn: Isbn13): string {
  return `00000000000${isbn}`;
}

/**
 * `NoCollection` and `NoEdition` of a product say whether it has a collection and an edition statement, whether
 * or not the sender took the trouble.
 */
function setFlags(fields: Fields): Pick<Origin, "set" | "unset"> {
  const detail = fields.DescriptiveDetail;
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return {};
  const block = detail as Fields;
  const denied = {
    NoCollection: ["Collection"],
    NoEdition: ["EditionType", "EditionNumber", "EditionVersionNumber", "EditionStatement"],
  };
  const set: string[] = [];
  const unset: string[] = [];
  for (const [flag, names] of Object.entries(denied)) {
    const has = names.some((name) => name in block);
    if (has && flag in block) {
      delete block[flag];
      unset.push(flag);
    } else if (!has && !(flag in block)) set.push(flag);
  }
  if (set.length > 0) fields.DescriptiveDetail = withFlags(block, set);
  return { ...(set.length > 0 && { set }), ...(unset.length > 0 && { unset }) };
}

function withFlags(block: Fields, flags: readonly string[]): Fields {
  const places = elementByTag("DescriptiveDetail")!.children;
  const order = (name: string) =>
    name.startsWith("@") ? -1 : (places.get(elementOfKey(name))?.order ?? 1e6);
  const all: [string, Value][] = [
    ...Object.entries(block),
    ...flags.map((flag): [string, Value] => [flag, []]),
  ];
  const sorted = Object.create(null) as Fields;
  for (const [name, value] of all.sort(([a], [b]) => order(a) - order(b))) sorted[name] = value;
  return sorted;
}

export function identifiersOf(fields: Fields): readonly Fields[] {
  const identifiers = fields.ProductIdentifier;
  return Array.isArray(identifiers) ? (identifiers as readonly Fields[]) : [];
}

function text(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

function place({ line, column }: OnixElement): { line: number; column: number } {
  return { line, column };
}
