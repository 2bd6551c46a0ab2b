import { EMPTY_REVISION } from "../../../catalog/revision.ts";
import type { FoundByColumns } from "../rows.ts";
import type { RecordOutline, SeenRow } from "./statements.ts";

/** The rows of an ISBN at one moment of an import. */
export interface CurrentState {
  readonly record: RecordOutline | undefined;
  readonly seen: SeenRow | undefined;
  /** The columns of the record, if they have been read. */
  readonly columns?: FoundByColumns;
}

export const UNKNOWN: CurrentState = { record: undefined, seen: undefined };

/** The row in `seen` has the etag before the import; without one, the record is as it was. */
export function etagBefore({ record, seen }: CurrentState): string | null {
  if (seen) return seen.before;
  return record ? etagOf(record) : null;
}

/** A record whose body is lost counts nothing in the revision. */
export function etagOf({ etag }: { readonly etag: string | null }): string {
  return etag ?? EMPTY_REVISION;
}
