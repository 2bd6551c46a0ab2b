/** What an import knows of a record, and of the messages of a sender. */
import type { Isbn13 } from "../onix/isbn.ts";

/** The state of one ISBN within an import. */
export interface RecordStatus {
  /** The etag of the record now. Is undefined when there is no record. */
  readonly etag: string | undefined;
  /** The etag before the import. Is undefined when there was no record. */
  readonly etagBefore: string | undefined;
  /** The feed that last put, marked or removed the record; 0 when none has. */
  readonly lastFeed: number;
  /** Undefined when there is no record, or when a damaged store has lost its sender. */
  readonly sender: string | undefined;
  /** This and `origin` are undefined when there is no record. */
  readonly reference: string | undefined;
  readonly origin: string | undefined;
}

/** The status of an ISBN that has no record, and that no feed of the import contains. */
export const NO_RECORD: RecordStatus = {
  etag: undefined,
  etagBefore: undefined,
  lastFeed: 0,
  sender: undefined,
  reference: undefined,
  origin: undefined,
};

/** The difference between a record before an import and at its end. */
export interface RecordChange {
  readonly isbn: Isbn13;
  readonly kind: "added" | "changed" | "deleted";
}

/** Tells which of two messages of a sender is the newer one. */
export interface MessageMark {
  /** SentDateTime, as written. */
  readonly sent: string | undefined;
  /** MessageNumber, as written. */
  readonly messageNumber: string | undefined;
}
