import {
  arrayOf,
  ByteOutput,
  csvOfSummaries,
  type ListWriter,
  ndjsonOfBodies,
} from "../catalog/formats/list-writer.ts";
import { type OnixEntry, onixOfEntries } from "../catalog/formats/onix.ts";
import type { Batches, Entry, Snapshot, View } from "../catalog/store.ts";
import { utcDay } from "../onix/date.ts";
import type { OnixRelease } from "../onix/message-version.ts";
import type { Origin } from "../onix/record/origin.ts";
import { sentDateTime, type TagNames } from "../onix/writer/message.ts";
import { openStore, READING, storeOptions } from "./config/store-location.ts";
import {
  type ExportFilter,
  filteredEntries,
  filterOptions,
  joinSince,
  nextCursor,
  requireExisting,
} from "./export/filter.ts";
import { EXIT, UsageError } from "./terminal/arguments.ts";
import { type Command, defineCommand, flag, oneOf, option, type Settings } from "./terminal/command.ts";
import { StandardOutput } from "./terminal/standard-output.ts";

/**
 * All but `onix` are formats of the API. `onix` writes a catalog whose products all came as ONIX 3.0 as 3.0, so that
 * nothing is left out; any other one is 3.1, as `xml` is.
 */
const FORMATS = ["ndjson", "json", "csv", "xml", "onix"] as const;
type ExportFormat = (typeof FORMATS)[number];

interface Export {
  readonly snapshot: Snapshot;
  readonly filter: ExportFilter;
  readonly format: ExportFormat;
  readonly view: View;
  readonly tags: TagNames;
}

const exportOptions = {
  ...storeOptions,
  format: option({
    value: FORMATS.join("|"),
    default: "ndjson",
    parse: oneOf(FORMATS),
    help: "csv has summaries; xml is ONIX 3.1, like the API; onix is 3.0 if all products came as 3.0",
  }),
  view: option({ value: "record|summary", parse: oneOf(["record", "summary"]) }),
  shortTags: flag(),
  ...filterOptions,
};

const declared = defineCommand(
  ["colophon export > catalog.ndjson", "colophon export --format onix | gzip > catalog.xml.gz"],
  {
    options: exportOptions,
    about: "prints the catalog in order of ISBN; filters can be combined",
    run: exportCatalog,
  },
);

export const command: Command = { ...declared, run: (args) => declared.run(joinSince(args)) };

async function exportCatalog(settings: Settings<typeof exportOptions>): Promise<number> {
  const { storeLocation, format, view: givenView, shortTags, ...filter } = settings;
  const view = chooseView(givenView, format);
  const tags = chooseTags(shortTags, format);
  // The operator wants the whole catalog, however slowly the next program in the pipe reads it.
  const store = await openStore(storeLocation, { ...READING, snapshotHoldMs: Infinity });
  const snapshot = await store.snapshot();
  try {
    await requireExisting(snapshot, filter);
    const next = filter.since && (await nextCursor(snapshot, filter.since));
    await print({ snapshot, filter, format, view, tags });
    if (next !== undefined) process.stderr.write(`Next time: --since ${next}\n`);
    return EXIT.ok;
  } finally {
    snapshot.close();
    await store.close();
  }
}

async function print({ snapshot, filter, format, view, tags }: Export): Promise<void> {
  const entries = () => filteredEntries(snapshot, filter);
  const now = new Date();
  switch (format) {
    case "xml":
      await write(entries(), onixOfEntries({ release: "3.1", sent: utcDay(now), tags, asRelease31: true }));
      break;
    case "onix": {
      const release = await chooseRelease(entries());
      const options = { release, sent: sentDateTime(now), tags, asRelease31: release === "3.1" };
      await write<OnixEntry>(entries(), onixOfEntries(options));
      break;
    }
    default: {
      // The array that the API responds with, and a line feed.
      const json = arrayOf<Uint8Array>((body, output) => output.write(body), "]\n");
      const writer = { ndjson: ndjsonOfBodies, json, csv: csvOfSummaries }[format];
      await write(bodies(snapshot, entries(), view), writer);
    }
  }
}

/** Writes standard output at the pace of its reader. */
async function write<T>(batches: Batches<T>, writer: ListWriter<T>): Promise<void> {
  const output = new ByteOutput();
  const standardOutput = new StandardOutput();
  const flush = async () => {
    standardOutput.write(output.take());
    await standardOutput.flush();
  };
  writer.begin?.(output);
  for await (const batch of batches) {
    for (const item of batch) await writer.write(item, output);
    await flush();
  }
  writer.end?.(output);
  await flush();
}

async function* bodies(
  snapshot: Snapshot,
  entries: AsyncIterable<readonly Entry[]>,
  view: View,
): AsyncGenerator<readonly Uint8Array[], void> {
  for await (const batch of entries) {
    if (view === "record") yield batch.map(({ body }) => body);
    else yield* snapshot.bodies({ kind: "isbns", isbns: batch.map(({ isbn }) => isbn) }, view);
  }
}

/** Returns 3.1, or 3.0 when every product was received as 3.0. An ONIX message has one release. */
async function chooseRelease(entries: AsyncIterable<readonly Entry[]>): Promise<OnixRelease> {
  let isEmpty = true;
  for await (const batch of entries) {
    isEmpty = false;
    if (batch.some(({ origin }) => (JSON.parse(origin) as Origin).release === "3.1")) return "3.1";
  }
  return isEmpty ? "3.1" : "3.0";
}

/** CSV has summaries, and ONIX has records. */
function chooseView(given: View | undefined, format: ExportFormat): View {
  const only = { csv: "summary", xml: "record", onix: "record", ndjson: undefined, json: undefined } as const;
  const view = given ?? only[format] ?? "record";
  if (only[format] !== undefined && only[format] !== view) {
    throw new UsageError(`--format ${format} cannot have --view ${view}`);
  }
  return view;
}

function chooseTags(isShort: boolean, format: ExportFormat): TagNames {
  if (isShort && format !== "xml" && format !== "onix") {
    throw new UsageError("--short-tags needs --format xml or onix");
  }
  return isShort ? "short" : "reference";
}
