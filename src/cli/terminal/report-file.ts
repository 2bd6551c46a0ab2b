import { closeSync, openSync, writeFileSync } from "node:fs";
import type { Complaint } from "../../catalog/report.ts";
import type { ImportSummary } from "../../ingest/import-run.ts";
import { CommandError } from "../exit.ts";

/** Complaints are written in batches of about this size. */
const REPORT_BATCH_CHARS = 64 * 1024;

/**
 * The JSON file of `--report`: all complaints and the result. Complaints are written as they arrive, because there may
 * be millions. A failed write aborts the import, as long as it is not committed.
 */
export class ReportFile {
  private readonly descriptor: number;
  private unwritten = '{\n"complaints": [';
  private isFirst = true;
  private hasFailed = false;

  constructor(private readonly path: string) {
    this.descriptor = this.orAbort(() => openSync(path, "w"));
  }

  add(complaint: Complaint): void {
    this.unwritten += `${this.isFirst ? "" : ","}\n${JSON.stringify(complaint)}`;
    this.isFirst = false;
    if (this.unwritten.length >= REPORT_BATCH_CHARS) this.orAbort(() => this.write());
  }

  /** Completes the file. It is too late to abort: a failure is only printed, followed by `hint`. */
  end(result: ImportSummary | { refused: string }, applied: boolean, hint = ""): void {
    if (this.hasFailed) return;
    const members = Object.entries({ applied, ...result }).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    this.unwritten += `\n],\n${members.join(",\n")}\n}\n`;
    try {
      this.write();
      closeSync(this.descriptor);
    } catch (error) {
      console.error(`colophon: ${this.describe(error)}${hint}`);
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
      throw new CommandError(`${this.describe(error)}; the catalog is unchanged`);
    }
  }

  private describe(error: unknown): string {
    return `the report ${this.path} cannot be written (${(error as Error).message})`;
  }
}
