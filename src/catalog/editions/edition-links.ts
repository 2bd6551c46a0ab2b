/**
 * The links between the editions of a work, as a store keeps them: for each book, the ISBNs that its record names as
 * other editions, and the identifiers of its work. Most books have none.
 */
import { bufferOf, compareCodePoints } from "../../lib/text.ts";
import type { BookFields } from "../../onix/fields/book-fields.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { allOf } from "../../onix/record/field-access.ts";
import { membersOf } from "../../onix/record/record-blocks.ts";
import { publisherOf } from "../../onix/summary/summary.ts";
import { editionIsbnsOf, type WorkIdentifier, workIdentifiersOf } from "../../onix/summary/works.ts";
import { etagOf } from "../entry.ts";
import type { Entry } from "../store.ts";

/** Indexes of PostgreSQL hold no long texts. */
const MAX_NAME_CHARS = 200;

const BLOCK = "RelatedMaterial";
const BLOCK_BYTES = Buffer.from(`"${BLOCK}`);
/** The blocks that the links depend on. */
const BLOCKS: ReadonlySet<string> = new Set([BLOCK, "PublishingDetail"]);
const NONE: readonly string[] = [];

/** Returns the targets of a book. Nothing is parsed of a record without the block. */
export function editionTargetsOf({
  isbn,
  body,
  editions,
}: Pick<Entry, "isbn" | "body" | "editions">): readonly string[] {
  if (editions !== undefined) return editions;
  const json = bufferOf(body);
  if (!json.includes(BLOCK_BYTES)) return NONE;
  const members = membersOf(body).filter(({ name }) => BLOCKS.has(name));
  const record: BookFields = JSON.parse(
    `{${members.map(({ from, to }) => json.toString("utf8", from, to)).join()}}`,
  );
  return editionTargetsIn(record, isbn);
}

/** Returns the targets of a book, each once and in ascending order. */
export function editionTargetsIn(record: BookFields, isbn: Isbn13): readonly string[] {
  if (record[BLOCK] === undefined) return NONE;
  const targets = new Set<string>(editionIsbnsOf(record));
  for (const identifier of workIdentifiersOf(record)) targets.add(targetOf(identifier, record));
  targets.delete(isbn);
  return targets.size === 0 ? NONE : [...targets].sort(compareCodePoints);
}

function targetOf({ id, isbn, isOfPublisher }: WorkIdentifier, record: BookFields): string {
  if (isbn !== undefined) return isbn;
  const name = isOfPublisher ? `${id} of ${publisherOf(allOf(record, "PublishingDetail")) ?? ""}` : id;
  return name.length <= MAX_NAME_CHARS ? name : `digest:${etagOf(Buffer.from(name))}`;
}
