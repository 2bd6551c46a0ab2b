/** JSON Schemas of the history of imports, and of where a book comes from. A test validates the examples. */
import { SHOWN_FEEDS } from "../../catalog/history/import-history.ts";
import type { UpdateKind } from "../../catalog/history/update-counts.ts";
import { IMPORT_OUTCOMES } from "../../catalog/import-run.ts";
import { emptyCounts } from "../../catalog/report.ts";
import { EXAMPLE_ISBNS } from "./examples.ts";
import { arrayOf, completeObject, count, isbn13Schema, refTo, type Schema, text } from "./json-schema.ts";
import { COUNTED, has } from "./search-schemas.ts";

const time = (description: string): Schema => ({ type: "string", format: "date-time", description });
const orNull = (description: string, schema: Schema = {}): Schema => ({
  type: ["string", "null"],
  description,
  ...schema,
});
const revision = (when: string) => orNull(`The revision ${when}; null where it is not known.`);

const importMembers: Record<string, Schema> = {
  number: { type: "integer", minimum: 1, description: "Ascends with the imports; some may be missing." },
  started: time("When the import began."),
  finished: time("When it had read its feeds, or failed."),
  durationMs: count("Milliseconds between both."),
  outcome: {
    type: "string",
    enum: IMPORT_OUTCOMES,
    description: "`failed`: it was refused or broke off, and changed nothing.",
  },
  message: orNull("The reason of a failure."),
  revisionBefore: revision("that it began with"),
  revisionAfter: revision("that it left"),
  feedCount: count("The number of feeds."),
  feeds: {
    ...arrayOf(refTo("ImportFeed")),
    maxItems: SHOWN_FEEDS,
    description: "The first ones. A file of an archive is a feed of its own.",
  },
  counts: {
    ...completeObject(
      Object.fromEntries(Object.keys(emptyCounts()).map((name) => [name, { type: "integer", minimum: 0 }])),
    ),
    description: "As in the report of an import. All are 0 for a failed one.",
  },
  updates: {
    ...completeObject({
      texts: count("Descriptive, collateral, promotion or content details."),
      supply: count("Prices and stock (ProductSupply)."),
      publishing: count("Dates, imprint or status (PublishingDetail)."),
      other: count("Any other element, or it is not known."),
    } satisfies Record<UpdateKind, Schema>),
    description: "How many of the updated books have changed in what. A book may be in several counts.",
  },
  complaints: {
    ...completeObject({ total: count("All complaints."), groups: count("The kept groups of them.") }),
    description: "The complaints about the feeds.",
  },
  quality: {
    ...completeObject(COUNTED),
    type: ["object", "null"],
    description: "What the books of the catalog had after it, as in `/api/quality`; null for a failed one.",
  },
  undoable: {
    type: "boolean",
    description: "Whether the operator can undo it, once all later imports are undone.",
  },
  undoes: { type: ["integer", "null"], description: "The import that this one has undone; null for others." },
  undoneBy: {
    type: ["integer", "null"],
    description: "The import that has undone this one; null when it is not undone.",
  },
};

const originImportMembers: Record<string, Schema> = {
  number: {
    type: ["integer", "null"],
    description: "The number of the import; null when the history no longer has it.",
  },
  at: time("The end of the import."),
  feed: orNull("The name of the feed that had the book; null where it is not known."),
  sender: orNull("The name of the sender of that feed; null where it is not known."),
};

export const importSchemas = {
  Import: completeObject(importMembers),
  ImportDetails: completeObject({
    ...importMembers,
    complaintGroups: {
      ...arrayOf(refTo("ComplaintGroup")),
      description: "Rejections first, then by count. Groups beyond 64 kB are left out.",
    },
  }),
  ImportFeed: completeObject({
    name: text("The name of the file, without its folder."),
    sha256: orNull("The SHA-256 digest of the file as it was given; null when it was not read to its end.", {
      pattern: "^[0-9a-f]{64}$",
    }),
    bytes: count("The size of the file, as far as it was read."),
    sender: orNull("The name of the sender."),
    sent: orNull("SentDateTime, as written."),
    messageNumber: orNull("MessageNumber, as written."),
  }),
  ComplaintGroup: completeObject({
    severity: { type: "string", enum: ["rejected", "warning"] },
    kind: text("The kind of complaint, as in the report of an import."),
    text: text("The problem; that of the first complaint when they do not all say the same."),
    advice: text("The remedy."),
    count: count("The number of complaints."),
    examples: {
      ...arrayOf(
        completeObject({
          isbn: orNull("The book.", { pattern: "^[0-9]{13}$" }),
          reference: orNull("The sender's reference of a product without an ISBN."),
          file: text("The feed."),
          line: { type: "integer", minimum: 1 },
        }),
      ),
      maxItems: 20,
      description: "The first complaints.",
    },
  }),
  Origin: completeObject({
    isbn: isbn13Schema,
    sender: orNull(
      "Identifies the sender: `type:value` of its SenderIdentifier, or `name:` and its SenderName; empty for none.",
    ),
    reference: text("The sender's RecordReference."),
    added: { ...refTo("OriginImport"), description: "The import that has added the book." },
    changed: {
      oneOf: [refTo("OriginChange"), { type: "null" }],
      description: "The import that has changed the book last; null when the book is as it was added.",
    },
  }),
  OriginImport: completeObject(originImportMembers),
  OriginChange: completeObject({
    ...originImportMembers,
    blocks: {
      type: ["array", "null"],
      items: { type: "string" },
      description: "The top-level elements of the record that have changed; null where they are not known.",
    },
  }),
} as const satisfies Record<string, Schema>;

const feed = {
  name: "2026-11-02.xml.gz",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  bytes: 86_258,
  sender: "Teapot Lighthouse",
  sent: "20261102T0500Z",
  messageNumber: "211",
};

export const exampleImport = {
  number: 17,
  started: "2026-11-02T05:30:10.126Z",
  finished: "2026-11-02T05:30:12.480Z",
  durationMs: 2354,
  outcome: "changed",
  message: null,
  revisionBefore: "cd517ad226f8ce4e496b3e926ca09d66",
  revisionAfter: "0b0ef2571ab0d9b8f1a7a4b3f0e8a5cc",
  feedCount: 1,
  feeds: [feed],
  counts: { ...emptyCounts(), updated: 3, unchanged: 220, warnings: 2 },
  updates: { texts: 1, supply: 3, publishing: 0, other: 0 },
  complaints: { total: 2, groups: 1 },
  quality: { books: 223, has: has(223, 201) },
  undoable: true,
  undoes: null,
  undoneBy: null,
};

export const exampleImportDetails = {
  ...exampleImport,
  complaintGroups: [
    {
      severity: "warning",
      kind: "bad-date",
      text: "The date is not one of the calendar.",
      advice: "The book does not appear in the news by this date; send YYYYMMDD, YYYYMM or YYYY.",
      count: 2,
      examples: EXAMPLE_ISBNS.map((isbn, index) => ({
        isbn,
        reference: null,
        file: feed.name,
        line: 40 + index,
      })),
    },
  ],
};

export const exampleOrigin = {
  isbn: EXAMPLE_ISBNS[0],
  sender: "name:Teapot Lighthouse",
  reference: "tl-0042",
  added: {
    number: 1,
    at: "2026-10-01T05:30:09.115Z",
    feed: "2026-10-01.xml.gz",
    sender: "Teapot Lighthouse",
  },
  changed: {
    number: 17,
    at: "2026-11-02T05:30:12.480Z",
    feed: feed.name,
    sender: "Teapot Lighthouse",
    blocks: ["ProductSupply"],
  },
};
