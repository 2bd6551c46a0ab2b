/** Why an import did not end as it should. */
import { StoreError } from "./store-error.ts";

/** A rule of the catalog refuses the import. The message names the cause and the fix; nothing has changed. */
export class ImportRefused extends Error {}

/** An import may have been applied, or not: the response to its commit is lost. `colophon import` exits with 4. */
export class OutcomeUnknown extends StoreError {
  /** The reason is a sentence that ends with a period. */
  constructor(reason: string) {
    super(
      `${reason} The outcome is unknown: the import was applied completely or not at all. Run it again; if it was applied, that changes nothing.`,
    );
  }
}
