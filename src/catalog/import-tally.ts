import { type Counts, changeOf, emptyCounts } from "./report.ts";
import { RevisionSum } from "./revision.ts";
import type { RecordStatus } from "./store.ts";

/** The revision and the counts of an import. */
export class ImportTally {
  readonly counts: Counts = emptyCounts();
  readonly revision: RevisionSum;

  /** `revision` is that of the catalog when the import began. */
  constructor(revision: string) {
    this.revision = new RevisionSum(revision);
  }

  /** Accounts for a record that becomes `after`. Only the last product of a book counts. */
  count(status: RecordStatus, after: string | undefined): void {
    this.revision.change(status.etag, after);
    if (status.lastFeed !== 0) {
      this.counts[changeOf(status.etagBefore, status.etag)]--;
      this.counts.repeated++;
    }
    this.counts[changeOf(status.etagBefore, after)]++;
  }
}
