/** What an import would change, book by book. */
import type { Isbn13 } from "../../onix/isbn.ts";
import type { RecordFields } from "../../onix/record/record-fields.ts";
import { titleOf } from "../../onix/summary/title.ts";
import type { RecordChange } from "../import-state.ts";
import type { Batches, ImportPreview } from "../store.ts";
import { diffRecords, type FieldChange } from "./record-diff.ts";

export interface BookChange {
  readonly isbn: Isbn13;
  readonly change: RecordChange["kind"];
  /** The title now or, for a deleted book, the title that it had. Omitted when the record has none. */
  readonly title?: string;
  /** The fields of a changed book that differ. Omitted when the record of the catalog is damaged. */
  readonly fields?: readonly FieldChange[];
}

interface BookChangesOptions {
  /** The number of added, and of deleted, books whose title is read. The others are listed without one. */
  readonly maxTitles: number;
}

/** Lists the changes in ascending order of ISBN. A book that the feeds change several times is listed once. */
export async function* bookChanges(
  preview: Pick<ImportPreview, "changes" | "bodiesBefore" | "bodyAfter">,
  { maxTitles }: BookChangesOptions,
): AsyncGenerator<BookChange, void> {
  const titles = { added: maxTitles, deleted: maxTitles, changed: Number.POSITIVE_INFINITY };
  for await (const batch of preview.changes()) {
    const read = new Set(batch.filter(({ kind }) => titles[kind]-- > 0));
    const existing = [...read].filter(({ kind }) => kind !== "added");
    const before = items(preview.bodiesBefore(existing.map(({ isbn }) => isbn)));
    for (const change of batch) {
      const { isbn, kind } = change;
      if (!read.has(change)) yield { isbn, change: kind };
      else {
        const old = kind === "added" ? undefined : (await before.next()).value;
        const now = kind === "deleted" ? undefined : await preview.bodyAfter(isbn);
        yield describeChange(change, old, now);
      }
    }
  }
}

async function* items<T>(batches: Batches<T>): AsyncGenerator<T, undefined> {
  for await (const batch of batches) yield* batch;
}

function describeChange(
  { isbn, kind }: RecordChange,
  bodyBefore: Uint8Array | undefined,
  bodyAfter: Uint8Array | undefined,
): BookChange {
  const before = bodyBefore && parseRecord(bodyBefore);
  const after = bodyAfter && parseRecord(bodyAfter);
  const title = titleOf(after ?? before ?? {});
  return {
    isbn,
    change: kind,
    ...(title === undefined ? {} : { title }),
    ...(before && after ? { fields: diffRecords(before, after) } : {}),
  };
}

const decoder = new TextDecoder();

function parseRecord(body: Uint8Array): RecordFields {
  return JSON.parse(decoder.decode(body));
}
