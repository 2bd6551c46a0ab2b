/**
 * Applies the update that distributors send by the hundred thousand every night: one with prices and stock alone. It
 * locates the block on the bytes, and makes the new summary from the stored one: a tenth of the work of any update.
 */
import { DATESTAMP_KEY } from "../../onix/fields/latest-datestamp.ts";
import { mergeOrigins } from "../../onix/record/origin.ts";
import { blocksOf, findMember, membersOf } from "../../onix/record/record-blocks.ts";
import type { RecordFields } from "../../onix/record/record-fields.ts";
import { withSupply } from "../../onix/summary/summary.ts";
import { etagOf, type PreparedProduct, summaryEtagOf } from "../entry.ts";
import type { Entry } from "../store.ts";

const BLOCK = "ProductSupply";
/** Records with these need all their parts: dates of markets, datestamps, attributes of the block and repeated ones. */
const SPECIAL_KEYS = [`"MarketDateRole`, DATESTAMP_KEY, `"${BLOCK}@`, `"${BLOCK}#`].map((key) =>
  Buffer.from(key),
);

const decoder = new TextDecoder();

/** Returns the entry after an update of the supply alone. Is undefined for other updates, and for unusual records. */
export function mergeSupply(stored: Entry, { body: update, origin }: PreparedProduct): Entry | undefined {
  if (stored.summary === undefined || isSpecial(stored.body) || isSpecial(update)) return undefined;
  const members = membersOf(update);
  const blocks = blocksOf(members);
  const supply = members.find(({ name }) => name === BLOCK);
  if (blocks.size !== 1 || supply === undefined) return undefined;
  const record = bufferOf(stored.body);
  const before = findMember(record, BLOCK);
  // The last block of ONIX. Nothing but the end of the record follows its end, so it is not within another element.
  if (before === undefined || before.to !== record.length - 1) return undefined;
  const start = before.from + 1;
  const block = bufferOf(update).subarray(supply.from, supply.to);
  const entry = { ...stored, origin: mergeOrigins(stored.origin, origin, blocks) };
  if (record.subarray(start, before.to).equals(block)) return entry;
  const body = Buffer.concat([record.subarray(0, start), block, record.subarray(before.to)]);
  const fields: RecordFields = JSON.parse(decoder.decode(update));
  const summary = withSupply(stored.summary.body, fields);
  return {
    ...entry,
    body,
    etag: etagOf(body),
    summary: { body: summary.body, etag: summaryEtagOf(summary.body) },
    changedBlocks: BLOCK,
    supply: { update: fields, summary },
  };
}

function isSpecial(body: Uint8Array): boolean {
  const json = bufferOf(body);
  return SPECIAL_KEYS.some((key) => json.includes(key));
}

function bufferOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
