import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import type { FeedScore } from "../catalog/quality/feed-quality.ts";
import type { ReportedComplaint } from "../catalog/report.ts";
import { ImportError } from "../feed/feed-error.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { ImportSummary } from "./import-run.ts";

/** Items are written in batches of about this size. */
const REPORT_BATCH_CHARS = 64 * 1024;
const START = '{\n"complaints": [';

/**
 * The JSON file of `--report`: all complaints, the ISBNs that `--replace` removes, and the result. Items are written as
 * they arrive, because there may be millions. A failed write aborts the import, as long as it is not committed.
 */
export class ReportFile {
  private readonly descriptor: number;
  private unwritten = START;
  private isFirst = true;
  private hasRemovals = false;
  private hasFailed = false;

  constructor(private readonly path: string) {
    this.descriptor = this.orAbort(() => openOutput(path, START));
  }

  add(complaint: ReportedComplaint): void {
    this.addItem(complaint);
  }

  /** Adds ISBNs that `--replace` removes. No complaint may follow. */
  addRemoved(isbns: readonly Isbn13[]): void {
    if (!this.hasRemovals) {
      this.hasRemovals = true;
      this.isFirst = true;
      this.unwritten += '\n],\n"removed": [';
    }
    for (const isbn of isbns) this.addItem(isbn);
  }

  private addItem(item: ReportedComplaint | Isbn13): void {
    this.unwritten += `${this.isFirst ? "" : ","}\n${JSON.stringify(item)}`;
    this.isFirst = false;
    if (this.unwritten.length >= REPORT_BATCH_CHARS) this.orAbort(() => this.write());
  }

  /**
   * Completes the file. `applied` is null when it is not known. It is too late to abort: returns the message of a
   * failure.
   */
  end(
    result: (ImportSummary & { quality?: readonly FeedScore[] }) | { refused: string } | { unknown: string },
    applied: boolean | null,
  ): string | undefined {
    const members = Object.entries({ applied, ...result }).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    this.unwritten += `\n],\n${members.join(",\n")}\n}\n`;
    try {
      try {
        if (!this.hasFailed) this.write();
      } finally {
        closeSync(this.descriptor);
      }
      return undefined;
    } catch (error) {
      return this.describe(error);
    }
  }

  private write(): void {
    writeFileSync(this.descriptor, this.unwritten);
    this.unwritten = "";
  }

  private orAbort<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.hasFailed = true;
      throw new ImportError(
        `${this.describe(error)}; the catalog is unchanged: it needs a folder that this user may write, on a disk with space`,
      );
    }
  }

  private describe(error: unknown): string {
    return `the report ${this.path} cannot be written (${(error as Error).message})`;
  }
}

/**
 * Opens a file that an option names, and empties it. A file that begins in another way is left as it is: the name may be
 * a slip, as in `--report *.xml`, and be that of a feed or of the catalog.
 * @param start how all files that the option writes begin, in ASCII
 */
export function openOutput(path: string, start: string): number {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() && !start.startsWith(beginOf(path, start.length))) {
    throw new Error("there is a file of another kind, which is not overwritten");
  }
  return openSync(path, "w");
}

function beginOf(path: string, length: number): string {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(path, "r");
  try {
    return bytes.toString("latin1", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
