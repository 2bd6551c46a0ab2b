/**
 * Decides who may change a book. Its owner is the sender of the last whole record that was applied. Supply data of others is
 * normal trade; any other change by them is reported, and prevented with `keep`.
 */
import { blocksOf, membersOf } from "../../onix/record/record-blocks.ts";
import type { PreparedProduct } from "../entry.ts";
import type { RecordStatus } from "../import-state.ts";
import { SAMPLE_SENDER } from "./message-order.ts";

/** `warn` applies what other senders send, with a warning; `keep` leaves the books of their owners as they are. */
export const OTHER_SENDER_MODES = ["warn", "keep"] as const;

export interface OwnerRules {
  /** Default: `warn`. */
  readonly otherSenders?: (typeof OTHER_SENDER_MODES)[number] | undefined;
  /** The name or the key of a sender whose books the senders of this import take over. */
  readonly takeOver?: string | undefined;
}

/** Tells whether a product changes a book of another sender, other than by supply data. `sender` is a key. */
export function isByOtherSender(
  product: PreparedProduct,
  { sender: owner }: RecordStatus,
  sender: string,
  { takeOver }: OwnerRules,
): boolean {
  if (owner === sender || owner === undefined || owner === SAMPLE_SENDER) return false;
  return !(takeOver !== undefined && isCalled(owner, takeOver)) && !isSupplyOnly(product);
}

/** Tells whether an update has no block but ProductSupply. */
export function isSupplyOnly({ action, body }: PreparedProduct): boolean {
  return action === "update" && [...blocksOf(membersOf(body))].every((block) => block === "ProductSupply");
}

/** Tells whether a key is that of a sender with this name, or the text itself is the key; see `Sender.key`. */
function isCalled(key: string, text: string): boolean {
  if (key === text || key === `name:${text}`) return true;
  return text !== "" && key.startsWith("01:") && key.endsWith(`:${text}`);
}
