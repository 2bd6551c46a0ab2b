/**
 * The links between the editions of a work, as a store keeps them: for each book, the ISBNs that its record names as
 * other editions, and the identifiers of its work. Most books have none.
 */
import type { BookFields } from "../../onix/fields/book-fields.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { membersOf } from "../../onix/record/record-blocks.ts";
import { editionIsbnsOf, type WorkIdentifier, workIdentifiersOf } from "../../onix/summary/works.ts";
import { etagOf } from "../entry.ts";
import type { Entry } from "../store.ts";

export interface EditionLink {
  readonly isbn: Isbn13;
  /** An ISBN, which the catalog need not have, or the name of a work, which is never thirteen digits. */
  readonly target: string;
}

/** The links of one node that are read in each direction. One more than a response has books tells that there are more. */
export const MAX_NODE_LINKS = 201;

/** Indexes of PostgreSQL hold no long texts. */
const MAX_NAME_CHARS = 200;

const BLOCK = "RelatedMaterial";
const BLOCK_BYTES = Buffer.from(`"${BLOCK}`);
const NONE: readonly string[] = [];

/** Returns the targets of a book, each once and in ascending order. Nothing is parsed of a record without the block. */
export function editionTargetsOf({ isbn, body, sender }: Pick<Entry, "isbn" | "body" | "sender">) {
  const json = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!json.includes(BLOCK_BYTES)) return NONE;
  const block = membersOf(body).filter(({ name }) => name === BLOCK);
  const record: BookFields = JSON.parse(
    `{${block.map(({ from, to }) => json.toString("utf8", from, to)).join()}}`,
  );
  const targets = new Set<string>(editionIsbnsOf(record));
  for (const identifier of workIdentifiersOf(record)) targets.add(targetOf(identifier, sender));
  targets.delete(isbn);
  return targets.size === 0 ? NONE : [...targets].sort(compareBytes);
}

function targetOf({ id, isbn, isOfSender }: WorkIdentifier, sender: string): string {
  if (isbn !== undefined) return isbn;
  const name = isOfSender ? `${id} of ${sender}` : id;
  return name.length <= MAX_NAME_CHARS ? name : `digest:${etagOf(Buffer.from(name))}`;
}

/** Compares as both engines do: by UTF-8 bytes. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
