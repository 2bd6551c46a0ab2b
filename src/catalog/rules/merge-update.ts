/** Applies an update (NotificationType 04) to a record: its blocks replace those of the record, and the others stay. */
import type { Day } from "../../onix/date.ts";
import { DATESTAMP_KEY } from "../../onix/fields/latest-datestamp.ts";
import { indexFieldsOf } from "../../onix/record/index-fields.ts";
import { mergeOrigins } from "../../onix/record/origin.ts";
import {
  blocksOf,
  bytesByName,
  isBlock,
  type Member,
  membersOf,
  replaceBlocks,
} from "../../onix/record/record-blocks.ts";
import type { RecordFields } from "../../onix/record/record-fields.ts";
import type { IndexFields } from "../../onix/scanned-product.ts";
import { withSupply } from "../../onix/summary/summary.ts";
import { etagOf, type PreparedProduct } from "../entry.ts";
import { differentBlocks } from "../history/changed-blocks.ts";
import { imprintOfName } from "../imprint.ts";
import type { Entry, StoredRecord } from "../store.ts";

/**
 * Returns the entry with the blocks of the update. Reference and sender stay, because the record is still the one that
 * its sender sent whole. Fields of the index come from the update where it has the block that they depend on.
 */
export function mergeUpdate(stored: Entry, product: PreparedProduct): Entry {
  const { body: update, index, origin } = product;
  const members = membersOf(stored.body);
  const updateMembers = membersOf(update);
  const blocks = blocksOf(updateMembers);
  const body = replaceBlocks(stored.body, members, update, updateMembers);
  const published = mergedDay(stored, members, index, blocks);
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
    published,
    origin: mergeOrigins(stored.origin, origin, blocks),
    ...(isSame ? { summary: stored.summary } : extractsOf(stored, product, old, now, published)),
  };
}

type ElementBytes = ReadonlyMap<string, Buffer>;

/** Returns what is known of the changed record without reading it as a whole. */
function extractsOf(
  stored: Entry,
  { body: update, summary, search }: PreparedProduct,
  old: ElementBytes,
  now: ElementBytes,
  published: Day | undefined,
): Pick<Entry, "changedBlocks" | "summary" | "search" | "supply"> {
  const replaced = new Map([...now].filter(([name]) => isBlock(name)));
  const changedBlocks = differentBlocks(new Map([...old].filter(([name]) => replaced.has(name))), replaced);
  // The latest datestamp of a record can stand anywhere in it.
  if (hasDatestamp(stored.body) || hasDatestamp(update)) return { changedBlocks };
  const hasAll = [...old.keys()].every((name) => !isBlock(name) || replaced.has(name));
  // Summaries and search documents depend on the blocks of a record, on its ISBN and on its identifiers.
  if (hasAll && isEqualElement("ProductIdentifier", old, now)) return { changedBlocks, summary, search };
  if (changedBlocks !== "ProductSupply" || stored.summary === undefined) return { changedBlocks };
  return { changedBlocks, ...supplyOf(stored.summary, update, published) };
}

function isEqualElement(name: string, old: ElementBytes, now: ElementBytes): boolean {
  const [before, after] = [old.get(name), now.get(name)];
  return before === undefined ? after === undefined : after?.equals(before) === true;
}

/** Returns the summary after an update of the supply alone. */
function supplyOf(
  before: StoredRecord,
  update: Uint8Array,
  published: Day | undefined,
): Pick<Entry, "summary" | "supply"> {
  const fields: RecordFields = JSON.parse(decoder.decode(update));
  const summary = withSupply(JSON.parse(decoder.decode(before.body)), fields, published);
  const bytes = encoder.encode(JSON.stringify(summary));
  return { summary: { body: bytes, etag: etagOf(bytes) }, supply: { update: fields, summary } };
}

function hasDatestamp(body: Uint8Array): boolean {
  return view(body, 0, body.length).includes(DATESTAMP_BYTES);
}

const DATESTAMP_BYTES = Buffer.from(DATESTAMP_KEY);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

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
