/** The errors of the store port. Everything that a store throws on purpose is one of these. */
import type { Isbn13 } from "../onix/isbn.ts";
import { MAX_SORTED_BY_TITLE } from "./search/search.ts";

/**
 * A problem with a store that an operator must solve. The message is one sentence for that operator: the thing, the
 * cause and the fix.
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** The store does not respond: one state, whatever the symptom. */
export class StoreUnreachable extends StoreError {}

/** An import may have been applied, or not: the response to its commit is lost. `colophon import` exits with 4. */
export class OutcomeUnknown extends StoreError {
  /** The reason is a sentence that ends with a period. */
  constructor(reason: string) {
    super(
      `${reason} The outcome is unknown: the import was applied completely or not at all. Run it again; if it was applied, that changes nothing.`,
    );
  }
}

/** A rule of the catalog refuses the import. The message names the cause and the fix; nothing has changed. */
export class ImportRefused extends Error {}

/** The state that a snapshot reads is gone. Its lists are cut off: a client never takes a part of a list for the whole. */
export class SnapshotExpired extends Error {
  override readonly name = "SnapshotExpired";

  constructor(reason = "an import has changed the catalog, and the list was read for more than a minute") {
    super(`The list was cut off: ${reason}; the client can request it again, and should read it faster.`);
  }
}

/** The store has returned other bytes than were written. They are never served. */
export class DamagedRecord extends Error {
  override readonly name = "DamagedRecord";

  constructor(readonly isbn: Isbn13) {
    super(
      `The record of ${isbn} is damaged in the store; run "colophon verify", then restore a backup or import the feeds into a new store.`,
    );
  }
}

/** A search that cannot be done now, because others are being done or because it takes too long. It is 503. */
export class SearchUnavailable extends Error {
  override readonly name = "SearchUnavailable";

  constructor(readonly reason: "busy" | "timeout") {
    super(
      reason === "busy"
        ? "Too many searches are waiting; search again in a second."
        : "The search took too long; search again, or for more specific words.",
    );
  }
}

/** A search finds too many books to sort them by title. It is 400: searching again does not help. */
export class SearchTooBroad extends Error {
  override readonly name = "SearchTooBroad";

  constructor() {
    super(`More than ${MAX_SORTED_BY_TITLE} books cannot be sorted by title; add words or filters.`);
  }
}
