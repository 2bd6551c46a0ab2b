/** Complaints about a product that means no book, another one than before, or the book of another sender. */
import { joinNames } from "../../lib/text.ts";
import type { ComplaintKind } from "../../onix/complaint.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { Sender } from "../../onix/message-header.ts";
import type { Severity } from "../report.ts";
import type { OwnerRules } from "./other-senders.ts";
import type { Target } from "./target-books.ts";

export interface TargetComplaint {
  readonly severity: Severity;
  readonly kind: ComplaintKind;
  readonly text: string;
  /** As in `Complaint`. */
  readonly value?: string;
  /** Default: that of the kind. */
  readonly advice?: string;
}

/** Explains why an update or a deletion changes nothing. */
export function explainMissingBook({ product, isbn, others }: Target): TargetComplaint {
  const { action, reference } = product;
  const isUpdate = action === "update";
  const severity = isUpdate ? "rejected" : "warning";
  const ofNothing = isUpdate ? "partial-update-of-nothing" : "deletion-of-nothing";
  const noun = isUpdate ? "update" : "deletion";
  if (isbn !== undefined) {
    if (others.length === 0) return { severity, kind: ofNothing, text: `${isbn} is not in the catalog.` };
    const text = `${isbn} is not in the catalog, and the reference "${reference}" belongs to ${list(others)}.`;
    return { severity: "warning", kind: "isbn-mismatch", text };
  }
  if (reference === "") {
    return { severity, kind: "no-isbn", text: `The ${noun} has neither an ISBN nor a RecordReference.` };
  }
  if (others.length === 0) {
    const text = `The ${noun} has no ISBN, and no book of this sender has the reference "${reference}".`;
    return { severity, kind: ofNothing, text };
  }
  const text = `The ${noun} has no ISBN, and several books have the reference "${reference}": ${list(others)}.`;
  return { severity, kind: "ambiguous-reference", text };
}

/** Warns about a whole product that has the reference of another book. */
export function referenceMoved({ product, isbn, others }: Target): TargetComplaint {
  const text = `The reference "${product.reference}" belonged to ${list(others)}, and now to ${isbn}.`;
  return { severity: "warning", kind: "reference-moved", text };
}

/** Warns about a target with `isByOther`. The value names both senders, so that their complaints are one group. */
export function changedByOther(
  { product, status }: Target,
  sender: Sender | undefined,
  { otherSenders }: OwnerRules,
): TargetComplaint {
  const [owner, other] = [nameOfOwner(status.sender!), nameOfSender(sender)];
  const verb = { deletion: "deletes", update: "updates" }[product.action as string] ?? "sends";
  return {
    severity: "warning",
    kind: "other-sender",
    text: `The book belongs to "${owner}", and "${other}" ${verb} it.`,
    value: `${owner} → ${other}`,
    ...(otherSenders === "keep" && { advice: KEPT_ADVICE }),
  };
}

const KEPT_ADVICE =
  "Nothing was changed; if the sender has a new name, import its feed once with --take-over and the old one.";

/** The sender of messages that name none. */
const NAMELESS = "(nameless)";

/** The store has only the keys of owners. */
function nameOfOwner(key: string): string {
  return key === "" ? NAMELESS : key.replace(/^name:/, "");
}

/** Adds the key of a sender that is not identified by its name, because the owner may have the same name. */
function nameOfSender(sender: Sender | undefined): string {
  if (sender === undefined) return NAMELESS;
  return sender.key === `name:${sender.name}` ? sender.name : `${sender.name} (${sender.key})`;
}

const MAX_LISTED = 3;

function list(isbns: readonly Isbn13[]): string {
  const isCut = isbns.length > MAX_LISTED;
  return isCut ? `${isbns.slice(0, MAX_LISTED).join(", ")} and others` : joinNames(isbns, "and");
}
