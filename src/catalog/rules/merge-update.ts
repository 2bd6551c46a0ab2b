/** Applies an update (NotificationType 04) to a record: its blocks replace those of the record, and the others stay. */
import { freeBuffer } from "../../lib/free-buffer.ts";
import { bufferOf } from "../../lib/text.ts";
import type { Day } from "../../onix/date.ts";
import { DATESTAMP_KEY } from "../../onix/fields/latest-datestamp.ts";
import { indexFieldsOf } from "../../onix/record/index-fields.ts";
import { mergeOrigins } from "../../onix/record/origin.ts";
import {
  blocksOf,
  bytesByName,
  findMember,
  isBlock,
  type Member,
  membersOf,
  replaceBlocks,
} from "../../onix/record/record-blocks.ts";
import type { RecordFields } from "../../onix/record/record-fields.ts";
import type { IndexFields } from "../../onix/scanned-product.ts";
import { withSupply } from "../../onix/summary/summary.ts";
import { etagOf, type PreparedProduct, summaryEtagOf } from "../entry.ts";
import { differentBlocks } from "../history/changed-blocks.ts";
import { imprintOfName } from "../imprint.ts";
import type { Entry } from "../store.ts";
import { isSupplyOnly } from "./other-senders.ts";

/**
 * Returns the entry with the blocks of the update. Reference and sender stay, because the record is still the one that
 * its sender sent whole. Fields of the index come from the update where it has the block that they depend on.
 */
export function mergeUpdate(stored: Entry, product: PreparedProduct): Entry {
  return mergeSupply(stored, product) ?? mergeBlocks(stored, product);
}

/**
 * Tells whether an update of prices and stock leaves nothing of an earlier one of its book, so that the earlier one need
 * not be written: each would write a whole record, and a book of 1 MB can have hundreds of them in a feed.
 */
export function supersedes(later: PreparedProduct, earlier: PreparedProduct): boolean {
  return isSupplyOnly(earlier) && isSupplyOnly(later) && blocksOf(membersOf(later.body)).size > 0;
}

function mergeBlocks(stored: Entry, product: PreparedProduct): Entry {
  const { body: update, index, origin } = product;
  const updateMembers = membersOf(update);
  const blocks = blocksOf(updateMembers);
  const members = membersOf(stored.body);
  const body = replaceBlocks(stored.body, members, update, updateMembers);
  const isSame = isEqual(body, stored.body);
  const [old, now] = [bytesByName(stored.body, members), bytesByName(update, updateMembers)];
  return {
    isbn: stored.isbn,
    body,
    etag: isSame ? stored.etag : etagOf(body),
    sender: stored.sender,
    reference: stored.reference,
    imprint: blocks.has("PublishingDetail") ? imprintOfName(index.imprint) : stored.imprint,
    languages: blocks.has("DescriptiveDetail") ? index.languages : stored.languages,
    published: mergedDay(stored, members, index, blocks),
    origin: mergeOrigins(stored.origin, origin, blocks),
    ...(isSame ? { summary: stored.summary } : extractsOf(stored, product, old, now)),
  };
}

/**
 * Frees the bytes of records that were updated, before and after it, once a store has copied them: the collector would
 * let them pile up. 10,000 updates of prices take 50 MB less with it.
 */
export function freeMerged(stored: readonly (Entry | undefined)[], put: readonly Entry[]): void {
  const isbns = new Set(stored.map((entry) => entry?.isbn));
  const entries = [...stored, ...put.filter(({ isbn }) => isbns.has(isbn))];
  // An update that changes nothing of a summary shares it.
  const arrays = new Set(entries.flatMap((entry) => [entry?.body, entry?.summary?.body]));
  for (const array of arrays) if (array !== undefined) freeBuffer(array);
}

type ElementBytes = ReadonlyMap<string, Buffer>;

/** Returns what is known of the changed record without reading it as a whole. */
function extractsOf(
  stored: Entry,
  { body: update, summary, search }: PreparedProduct,
  old: ElementBytes,
  now: ElementBytes,
): Pick<Entry, "changedBlocks" | "summary" | "search"> {
  const replaced = new Map([...now].filter(([name]) => isBlock(name)));
  const changedBlocks = differentBlocks(new Map([...old].filter(([name]) => replaced.has(name))), replaced);
  const hasAll = [...old.keys()].every((name) => !isBlock(name) || replaced.has(name));
  // Summaries and search documents depend on the blocks of a record, on its ISBN and on its identifiers, and the latest
  // datestamp can stand anywhere.
  const isWhole = hasAll && isEqualElement("ProductIdentifier", old, now);
  return isWhole && !hasDatestamp(stored.body) && !hasDatestamp(update)
    ? { changedBlocks, summary, search }
    : { changedBlocks };
}

function isEqualElement(name: string, old: ElementBytes, now: ElementBytes): boolean {
  const [before, after] = [old.get(name), now.get(name)];
  return before === undefined ? after === undefined : after?.equals(before) === true;
}

function hasDatestamp(body: Uint8Array): boolean {
  return view(body, 0, body.length).includes(DATESTAMP_BYTES);
}

const DATESTAMP_BYTES = Buffer.from(DATESTAMP_KEY);

/** The publishing day counts before the market day, and the entry does not tell which of them it has. */
function mergedDay(
  stored: Entry,
  members: readonly Member[],
  index: IndexFields,
  blocks: ReadonlySet<string>,
): Day | undefined {
  const hasPublishing = blocks.has("PublishingDetail");
  const hasSupply = blocks.has("ProductSupply");
  if (!hasPublishing && !hasSupply) return stored.published;
  if (hasPublishing) {
    const market = () =>
      hasSupply ? index.marketDay : indexFieldsOf(parseMembers(stored, members, "ProductSupply")).marketDay;
    return index.publishingDay ?? market();
  }
  if (stored.published === undefined || !hasMarketDate(stored, members)) {
    return stored.published ?? index.marketDay;
  }
  const { publishingDay } = indexFieldsOf(parseMembers(stored, members, "PublishingDetail"));
  return publishingDay ?? index.marketDay;
}

const MARKET_DATE_KEY = Buffer.from('"MarketDateRole');

/** May be wrongly true, which costs only time. */
function hasMarketDate({ body }: Entry, members: readonly Member[]): boolean {
  return members.some(
    ({ name, from, to }) => name === "ProductSupply" && view(body, from, to).includes(MARKET_DATE_KEY),
  );
}

function parseMembers({ body }: Entry, members: readonly Member[], block: string): RecordFields {
  const texts = members
    .filter(({ name }) => name === block)
    .map(({ from, to }) => view(body, from, to).toString("utf8"));
  return JSON.parse(`{${texts.join()}}`);
}

function view(body: Uint8Array, from: number, to: number): Buffer {
  return Buffer.from(body.buffer, body.byteOffset + from, to - from);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

const BLOCK = "ProductSupply";
/** Records with these need all their parts: dates of markets, datestamps, attributes of the block and repeated ones. */
const SPECIAL_KEYS = [`"MarketDateRole`, DATESTAMP_KEY, `"${BLOCK}@`, `"${BLOCK}#`].map((key) =>
  Buffer.from(key),
);

const decoder = new TextDecoder();

/**
 * Returns the entry after an update of prices and stock alone, which distributors send by the hundred thousand every
 * night; undefined for other updates, and for unusual records. It locates the block on the bytes, and makes the new
 * summary from the stored one: a tenth of the work of any update.
 */
function mergeSupply(stored: Entry, { body: update, origin }: PreparedProduct): Entry | undefined {
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
