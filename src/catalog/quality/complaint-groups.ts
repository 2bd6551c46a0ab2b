/** Groups complaints by kind, element and code. Memory is bounded, however many complaints there are. */
import type { ComplaintKind } from "../../onix/complaint.ts";
import type { ReportedComplaint, Severity } from "../report.ts";

/** Complaints beyond this many groups are only counted. */
export const MAX_GROUPS = 10_000;
/** The first places of each group are kept. */
const MAX_PLACES = 3;

interface GroupLimits {
  /** Default: `MAX_GROUPS`. */
  readonly maxGroups?: number;
  /** How many complaints of a group are kept. Default: 3. */
  readonly maxPlaces?: number;
}

/** Longer texts of complaints are cut, so that a group has a bounded size. */
const MAX_TEXT_CHARS = 500;

/** Values of these kinds are data of one product, such as a price. The others are codes, names and the like. */
const VALUES_ARE_DATA: ReadonlySet<ComplaintKind> = new Set([
  "bad-value",
  "duplicate-value",
  "decimal-comma",
  "bad-amount",
]);

export interface ComplaintGroup {
  readonly severity: Severity;
  readonly kind: ComplaintKind;
  /** The element that the complaints are about, where there is one. */
  readonly element: string | undefined;
  /** The code that the complaints are about, or what is missing, where there is one. */
  readonly code: string | undefined;
  /** The sentence of the complaints; undefined when they do not all say the same. */
  readonly text: string | undefined;
  readonly advice: string;
  readonly count: number;
  readonly first: readonly ReportedComplaint[];
}

type MutableGroup = { -readonly [Member in keyof ComplaintGroup]: ComplaintGroup[Member] } & {
  first: ReportedComplaint[];
};

export class ComplaintGroups {
  /** Complaints that belong to no group, because there are too many groups. */
  ungrouped = 0;
  total = 0;
  private readonly groups = new Map<string, MutableGroup>();
  private readonly maxGroups: number;
  private readonly maxPlaces: number;

  constructor({ maxGroups = MAX_GROUPS, maxPlaces = MAX_PLACES }: GroupLimits = {}) {
    this.maxGroups = maxGroups;
    this.maxPlaces = maxPlaces;
  }

  add(complaint: ReportedComplaint): void {
    this.total++;
    const { severity, kind, element, advice } = complaint;
    const code = VALUES_ARE_DATA.has(kind) ? undefined : cut(complaint.value);
    const key = JSON.stringify([severity, kind, element, code]);
    const text = cut(complaint.text);
    const group = this.groups.get(key);
    if (group) {
      group.count++;
      if (group.text !== text) group.text = undefined;
      if (group.first.length < this.maxPlaces) group.first.push(bounded(complaint));
    } else if (this.groups.size < this.maxGroups) {
      const first = [bounded(complaint)];
      this.groups.set(key, { severity, kind, element, code, text, advice, count: 1, first });
    } else this.ungrouped++;
  }

  /** Returns the groups: rejections first, then by count. */
  sorted(): ComplaintGroup[] {
    const rank = ({ severity }: ComplaintGroup) => (severity === "rejected" ? 0 : 1);
    return [...this.groups.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count);
  }
}

function bounded(complaint: ReportedComplaint): ReportedComplaint {
  const { value } = complaint;
  return {
    ...complaint,
    reference: cut(complaint.reference)!,
    text: cut(complaint.text)!,
    ...(value !== undefined && { value: cut(value)! }),
  };
}

/** A copy, because a part of a string keeps the whole string alive. */
function cut(text: string | undefined): string | undefined {
  return text === undefined || text.length <= MAX_TEXT_CHARS
    ? text
    : `${Buffer.from(text.slice(0, MAX_TEXT_CHARS)).toString()}…`;
}
