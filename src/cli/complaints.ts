/** What an import has to say about its feeds: every rejected product, and of each kind of warning the first few. */
import { type FileSink, file } from "bun";
import type { Complaint, ComplaintKind } from "../catalog/report.ts";
import type { Outcome } from "./feeds.ts";
import { count } from "./progress.ts";

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
  return `${file}:${line}:${column}: ${who ? `[${who}] ` : ""}${text} ${advice}`;
}

/** All complaints and the outcome as JSON, written as they come: there may be millions. */
export class Report {
  private readonly sink: FileSink;
  private first = true;

  constructor(path: string) {
    this.sink = file(path).writer();
    this.sink.write('{\n"complaints": [');
  }

  add(complaint: Complaint): void {
    this.sink.write(`${this.first ? "" : ","}\n${JSON.stringify(complaint)}`);
    this.first = false;
  }

  async end(outcome: Outcome | { refused: string }, applied: boolean): Promise<void> {
    const members = Object.entries({ applied, ...outcome }).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    this.sink.write(`\n],\n${members.join(",\n")}\n}\n`);
    await this.sink.end();
  }
}
