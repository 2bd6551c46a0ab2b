/** The complaints of an import as the history keeps them: grouped, with a few examples, in a bounded number of bytes. */
import type { ComplaintKind } from "../../onix/complaint.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { ComplaintGroups } from "../quality/complaint-groups.ts";
import type { ReportedComplaint, Severity } from "../report.ts";

export interface ComplaintExample {
  readonly isbn?: Isbn13;
  /** The sender's reference of a product without an ISBN. */
  readonly reference?: string;
  readonly file: string;
  readonly line: number;
}

/** Complaints about the same: of one kind, about one element and code. */
export interface KeptComplaintGroup {
  readonly severity: Severity;
  readonly kind: ComplaintKind;
  /** The problem; that of the first complaint when they do not all say the same. */
  readonly text: string;
  readonly advice: string;
  readonly count: number;
  readonly examples: readonly ComplaintExample[];
}

export interface KeptComplaints {
  /** All complaints, also those of no kept group. */
  readonly total: number;
  /** Rejections first, then by count. */
  readonly groups: readonly KeptComplaintGroup[];
}

export const NO_COMPLAINTS: KeptComplaints = { total: 0, groups: [] };

/** The limits for one import. */
const MAX_GROUPS = 200;
const MAX_EXAMPLES = 20;
const MAX_TEXT_CHARS = 300;
const MAX_PLACE_CHARS = 120;
const MAX_FILE_CHARS = 1000;
export const MAX_COMPLAINT_BYTES = 64 << 10;

/** Collects the complaints of an import in bounded memory. */
export class ComplaintCollector {
  /** Apart, so that no number of warnings leaves rejections out. */
  readonly #groups = {
    rejected: new ComplaintGroups({ maxGroups: MAX_GROUPS, maxPlaces: MAX_EXAMPLES }),
    warning: new ComplaintGroups({ maxGroups: MAX_GROUPS, maxPlaces: MAX_EXAMPLES }),
  };

  add(complaint: ReportedComplaint): void {
    const { file } = complaint;
    // An archive may have entries with names of 64 kB.
    const bounded =
      file.length <= MAX_FILE_CHARS ? complaint : { ...complaint, file: keptText(file, MAX_FILE_CHARS) };
    this.#groups[complaint.severity].add(bounded);
  }

  /** `nameOf` returns the name of a file as the history has it. */
  kept(nameOf: (file: string) => string): KeptComplaints {
    const groups: KeptComplaintGroup[] = [];
    let bytes = 0;
    const { rejected, warning } = this.#groups;
    for (const { severity, kind, text, advice, count, first } of [
      ...rejected.sorted(),
      ...warning.sorted(),
    ]) {
      const group = {
        severity,
        kind,
        text: keptText(text ?? first[0]!.text, MAX_TEXT_CHARS),
        advice,
        count,
        examples: first.map((complaint) => exampleOf(complaint, nameOf)),
      };
      // Near the limit, a group has one example.
      const fitting = [group, { ...group, examples: group.examples.slice(0, 1) }].find(
        (each) => bytes + sizeOf(each) <= MAX_COMPLAINT_BYTES,
      );
      if (!fitting) break;
      bytes += sizeOf(fitting);
      groups.push(fitting);
    }
    return { total: rejected.total + warning.total, groups };
  }
}

function exampleOf(
  { isbn, reference, file, line }: ReportedComplaint,
  nameOf: (file: string) => string,
): ComplaintExample {
  return {
    ...(isbn !== undefined && { isbn }),
    ...(isbn === undefined && reference !== "" && { reference: keptText(reference, MAX_PLACE_CHARS) }),
    file: keptText(nameOf(file), MAX_PLACE_CHARS),
    line,
  };
}

/** Returns the bytes of a group in JSON, with a comma. */
function sizeOf(group: KeptComplaintGroup): number {
  return Buffer.byteLength(JSON.stringify(group)) + 1;
}

/** Returns a text that both engines can store, cut to a number of UTF-16 code units. PostgreSQL stores no U+0000. */
export function keptText(text: string, maxChars: number): string {
  const isLong = text.length > maxChars;
  const cut = isLong ? `${text.slice(0, maxChars - 1)}…` : text;
  // Encoding makes a copy, because a part of a string keeps the whole string alive.
  return Buffer.from(cut.replaceAll("\0", "\ufffd").toWellFormed()).toString();
}
