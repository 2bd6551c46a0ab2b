/** What an import has to say about its feeds: every rejected product, and of each kind of warning the first few. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import type { Complaint, ComplaintKind } from "../../catalog/report.ts";
import type { Outcome } from "../../ingest/import-run.ts";
import { inOneLine } from "../../watch/printable.ts";
import { count } from "./progress.ts";
import { CommandError } from "./usage.ts";

const SHOWN = 5;

export class Complaints {
  private readonly kinds = new Map<ComplaintKind, { total: number; first: Complaint[] }>();

  constructor(
    private readonly report: Report | undefined,
    private readonly say: (line: string) => void,
  ) {}

  add(complaint: Complaint): void {
    this.report?.add(complaint);
    if (complaint.severity === "rejected") {
      this.say(`rejected: ${lineOf(complaint)}`);
      return;
    }
    const kind = this.kinds.get(complaint.kind) ?? { total: 0, first: [] };
    this.kinds.set(complaint.kind, kind);
    if (++kind.total <= SHOWN) kind.first.push(complaint);
  }

  /** The warnings, by kind. */
  summarise(): void {
    for (const { total, first } of this.kinds.values()) {
      for (const complaint of first) this.say(`warning: ${lineOf(complaint)}`);
      if (total > SHOWN)
        this.say(`warning: … and ${count(total - SHOWN)} more of this kind (--report has them all)`);
    }
  }
}

function lineOf({ file, line, column, reference, isbn, text, advice }: Complaint): string {
  const who = [isbn, reference && reference !== isbn ? reference : ""].filter(Boolean).join(", ");
  return inOneLine(`${file}:${line}:${column}: ${who ? `[${who}] ` : ""}${text} ${advice}`);
}

/** Characters that are enough to be written. */
const BATCH = 64 * 1024;

/**
 * All complaints and the outcome as JSON, written as they come: there may be millions. Where it cannot be written the
 * import is refused, as long as it can be.
 */
export class Report {
  private readonly descriptor: number;
  private waiting = '{\n"complaints": [';
  private first = true;
  private failed = false;

  constructor(private readonly path: string) {
    this.descriptor = this.orRefused(() => openSync(path, "w"));
  }

  add(complaint: Complaint): void {
    this.waiting += `${this.first ? "" : ","}\n${JSON.stringify(complaint)}`;
    this.first = false;
    if (this.waiting.length >= BATCH) this.orRefused(() => this.write());
  }

  /** It is too late to refuse anything: if it fails, this is said, with what else is to be said then. */
  end(outcome: Outcome | { refused: string }, applied: boolean, besides = ""): void {
    if (this.failed) return;
    const members = Object.entries({ applied, ...outcome }).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    this.waiting += `\n],\n${members.join(",\n")}\n}\n`;
    try {
      this.write();
      closeSync(this.descriptor);
    } catch (error) {
      console.error(`colophon: ${this.why(error)}${besides}`);
    }
  }

  private write(): void {
    writeFileSync(this.descriptor, this.waiting);
    this.waiting = "";
  }

  private orRefused<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.failed = true;
      throw new CommandError(`${this.why(error)}; the catalog is as it was`);
    }
  }

  private why(error: unknown): string {
    return `the report ${this.path} cannot be written (${(error as Error).message})`;
  }
}
