/** Turns a product element into the record that the API serves, and into what the ONIX writer needs to restore it. */
import type { OnixElement } from "./element.ts";
import { elementByTag } from "./element-table.ts";
import { FieldBuilder } from "./field-builder.ts";
import {
  correctedIdentifier,
  describeBadIsbns,
  findIsbn,
  hasWrongIsbn10CheckDigit,
  missingIdentifiers,
} from "./identifiers.ts";
import { hasValidCheckDigit, type Isbn13 } from "./isbn.ts";
import type { OnixRelease } from "./message-version.ts";
import { elementNameOfKey, type RecordFields, type RecordValue, STRAY_TEXT } from "./record-fields.ts";
import type { Remark, RemarkKind } from "./remark.ts";

/** A product of a feed before it becomes a record. An update has only some of its blocks. */
export interface Product {
  /** The sender's RecordReference, or an empty string. */
  readonly reference: string;
  /** NotificationType, list 1. */
  readonly notification: string;
  readonly isbn: Isbn13 | undefined;
  readonly fields: RecordFields;
  readonly origin: Origin;
  readonly remarks: readonly Remark[];
  readonly line: number;
  readonly column: number;
}

/**
 * How the product in the feed differed from its record, so that the writer can restore it. Members without content
 * are omitted. Stores keep it as JSON, so the names must not change.
 */
export interface Origin {
  readonly release: OnixRelease;
  /** How many identifiers were added. They are the last ones. */
  readonly completed?: number;
  /** Original values of corrected identifiers, by index. */
  readonly sent?: Readonly<Record<string, string>>;
  /** Flags that were added to DescriptiveDetail. */
  readonly set?: readonly string[];
  /** Flags that were removed from DescriptiveDetail, because they contradicted other elements. */
  readonly unset?: readonly string[];
  /** `FieldBuilder.exceptions`, by name of the child of the product. */
  readonly exceptions?: Readonly<Record<string, readonly number[]>>;
  /**
   * Orders of children that alternate (see `interleaving.ts`), by name of the child of the product, and by how many
   * texts of it precede the composite in the order of the fields.
   */
  readonly interleaved?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** The record of the API: `_id`, the ISBN as RecordReference, and the fields of the product. */
export interface BookRecord extends RecordFields {
  _id: string;
  RecordReference: string;
}

/** The blocks of a product. An update (NotificationType 04) replaces whole blocks. */
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

/** NotificationType (list 1) of products that are complete and replace the whole record. */
export const FULL_RECORD_NOTIFICATIONS: ReadonlySet<string> = new Set(["01", "02", "03", "08", "09"]);

const productRule = elementByTag("Product")!;

export function readProduct(element: OnixElement, release: OnixRelease): Product {
  const remarks: Remark[] = [];
  const exceptions: Record<string, number[]> = {};
  const fields = Object.create(null) as RecordFields;
  const byName = Map.groupBy(element.children, (child) =>
    typeof child === "string" ? STRAY_TEXT : child.name,
  );
  // Each child has its own builder, so that an update that replaces a block also replaces its exceptions.
  const builders = [...byName].map(([name, children]) => {
    const builder = new FieldBuilder(remarks);
    return { name, builder, part: builder.fields({ ...element, attributes: [], children }, productRule) };
  });
  const order = (name: string) => productRule.children.get(name)?.order ?? Number.MAX_SAFE_INTEGER;
  builders.sort((a, b) => order(a.name) - order(b.name));
  for (const [name, value] of element.attributes) fields[`@${name}`] = value;
  for (const { name, builder, part } of builders) {
    Object.assign(fields, part);
    if (builder.exceptions.length > 0) exceptions[name] = builder.exceptions;
  }
  const flags = correctFlags(fields);
  const identifiers = productIdentifiers(fields);
  const isbn = findIsbn(identifiers);
  const reference = textOrEmpty(fields.RecordReference);
  const { line, column } = element;
  const remark = (kind: RemarkKind, text: string) => remarks.push({ kind, text, line, column });
  if (reference === "") remark("no-reference", "The product has no RecordReference.");
  for (const sentence of describeBadIsbns(identifiers)) remark("bad-isbn", sentence);
  if (isbn && !hasValidCheckDigit(isbn)) remark("wrong-check-digit", `The check digit of ${isbn} is wrong.`);
  if (hasWrongIsbn10CheckDigit(identifiers))
    remark("wrong-check-digit", "The check digit of the ISBN-10 is wrong.");
  for (const flag of flags.unset ?? [])
    remark("contradiction", `${flag} contradicts other elements of the product.`);
  return {
    reference,
    notification: textOrEmpty(fields.NotificationType),
    isbn,
    fields,
    origin: { release, ...flags, ...(Object.keys(exceptions).length > 0 && { exceptions }) },
    remarks,
    line,
    column,
  };
}

/** Builds the record of a complete product: corrects its identifiers and adds the missing ones. */
export function buildRecord(product: Product, isbn: Isbn13): { record: BookRecord; origin: Origin } {
  const { RecordReference: _, ...fields } = product.fields;
  const sent: Record<string, string> = {};
  const identifiers = productIdentifiers(fields).map((identifier, index) => {
    const corrected = correctedIdentifier(identifier);
    if (corrected === undefined) return identifier;
    sent[index] = identifier.IDValue as string;
    return { ...identifier, IDValue: corrected };
  });
  const missing = missingIdentifiers(identifiers, isbn);
  const record = Object.create(null) as BookRecord;
  record._id = recordId(isbn);
  record.RecordReference = isbn;
  for (const [name, value] of Object.entries(fields)) {
    // An unknown element called `_id` has a remark already; it must not replace the id.
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

/** Tells whether a product has the blocks 1, 4 and 6, which ONIX requires of a complete one. */
export function hasRequiredBlocks({ fields }: Product): boolean {
  return ["DescriptiveDetail", "PublishingDetail", "ProductSupply"].every((block) => block in fields);
}

/** Replaces the blocks of a record with those of an update. Everything outside the blocks stays. */
export function replaceBlocks(
  old: { record: BookRecord; origin: Origin },
  update: Product,
): { record: BookRecord; origin: Origin } {
  const newKeys = Object.keys(update.fields).filter(isBlockKey);
  const replaced = new Set(newKeys.map(elementNameOfKey));
  const oldKeys = Object.keys(old.record).filter((name) => !replaced.has(elementNameOfKey(name)));
  const record = Object.create(null) as BookRecord;
  const order = (name: string) =>
    name.startsWith("@") || name === "_id"
      ? -1
      : (productRule.children.get(elementNameOfKey(name))?.order ?? 1e6);
  for (const name of [...oldKeys, ...newKeys].sort((a, b) => order(a) - order(b))) {
    record[name] = (replaced.has(elementNameOfKey(name)) ? update.fields[name] : old.record[name])!;
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

function isBlockKey(key: string): boolean {
  return BLOCKS.has(elementNameOfKey(key));
}

/** Derives 24 hexadecimal digits from the ISBN, so that a book has the same id on every machine. */
export function recordId(isbn: Isbn13): string {
  return `00000000000${isbn}`;
}

/** Flags of DescriptiveDetail that state an absence, with the elements that contradict them. */
export const ABSENCE_FLAGS: Readonly<Record<string, readonly string[]>> = {
  NoCollection: ["Collection"],
  NoEdition: ["EditionType", "EditionNumber", "EditionVersionNumber", "EditionStatement"],
};

/**
 * Corrects `NoCollection` and `NoEdition`: adds a missing flag when the product has no collection or edition, and
 * removes one that contradicts other elements.
 */
function correctFlags(fields: RecordFields): Pick<Origin, "set" | "unset"> {
  const detail = fields.DescriptiveDetail;
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return {};
  const block = detail as RecordFields;
  const set: string[] = [];
  const unset: string[] = [];
  for (const [flag, names] of Object.entries(ABSENCE_FLAGS)) {
    const isContradicted = names.some((name) => name in block);
    if (isContradicted && flag in block) {
      delete block[flag];
      unset.push(flag);
    } else if (!isContradicted && !(flag in block)) set.push(flag);
  }
  if (set.length > 0) fields.DescriptiveDetail = withFlags(block, set);
  return { ...(set.length > 0 && { set }), ...(unset.length > 0 && { unset }) };
}

function withFlags(block: RecordFields, flags: readonly string[]): RecordFields {
  const placements = elementByTag("DescriptiveDetail")!.children;
  const order = (name: string) =>
    name.startsWith("@") ? -1 : (placements.get(elementNameOfKey(name))?.order ?? 1e6);
  const all: [string, RecordValue][] = [
    ...Object.entries(block),
    ...flags.map((flag): [string, RecordValue] => [flag, []]),
  ];
  const sorted = Object.create(null) as RecordFields;
  for (const [name, value] of all.sort(([a], [b]) => order(a) - order(b))) sorted[name] = value;
  return sorted;
}

export function productIdentifiers(fields: RecordFields): readonly RecordFields[] {
  const identifiers = fields.ProductIdentifier;
  return Array.isArray(identifiers) ? (identifiers as readonly RecordFields[]) : [];
}

function textOrEmpty(value: RecordValue | undefined): string {
  return typeof value === "string" ? value : "";
}
