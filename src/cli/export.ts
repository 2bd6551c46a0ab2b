import type { Entry, Snapshot } from "../catalog/store.ts";
import type { OnixRelease } from "../onix/message-version.ts";
import type { Origin } from "../onix/record/origin.ts";
import { MESSAGE_END, messageStart, NO_PRODUCT, writeProduct } from "../onix/writer.ts";
import { openStore, resolveStoreLocation } from "./config/store-location.ts";
import { EXIT, UsageError } from "./exit.ts";
import { parseArguments } from "./terminal/arguments.ts";
import { StandardOutput } from "./terminal/standard-output.ts";

/** `colophon export`: prints the catalog, in order of ISBN. */
export async function exportCommand(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { db: { type: "string" }, format: { type: "string" } }, 0);
  const format = options.format ?? "ndjson";
  if (format !== "ndjson" && format !== "onix") {
    throw new UsageError(`--format must be ndjson or onix, not "${format}"`);
  }
  // The operator wants the whole catalog, however slowly the next program in the pipe reads it.
  const store = openStore(resolveStoreLocation(options.db), { create: false, snapshotHoldMs: Infinity });
  const snapshot = await store.snapshot();
  try {
    const output = new StandardOutput();
    await (format === "onix" ? writeOnix(snapshot, output) : writeNdjson(snapshot, output));
    await output.flush();
    return EXIT.ok;
  } finally {
    snapshot.close();
    await store.close();
  }
}

/** Writes one record per line, with the same bytes as the API. */
async function writeNdjson(snapshot: Snapshot, output: StandardOutput): Promise<void> {
  for await (const batch of snapshot.entries()) {
    for (const { body } of batch) output.write(body, LINE_FEED);
    await output.flush();
  }
}

async function writeOnix(snapshot: Snapshot, output: StandardOutput): Promise<void> {
  let isEmpty = true;
  output.write(encoder.encode(messageStart(await chooseRelease(snapshot), "Colophon", new Date())));
  for await (const batch of snapshot.entries()) {
    for (const entry of batch) output.write(encoder.encode(entryToOnix(entry)));
    await output.flush();
    isEmpty = false;
  }
  output.write(encoder.encode((isEmpty ? NO_PRODUCT : "") + MESSAGE_END));
}

function entryToOnix({ body, reference, origin }: Entry): string {
  return writeProduct(JSON.parse(decoder.decode(body)), reference, JSON.parse(origin));
}

/** Returns 3.1, or 3.0 when every product was received as 3.0. An ONIX message has one release. */
async function chooseRelease(snapshot: Snapshot): Promise<OnixRelease> {
  let isEmpty = true;
  for await (const batch of snapshot.entries()) {
    isEmpty = false;
    if (batch.some(({ origin }) => (JSON.parse(origin) as Origin).release === "3.1")) return "3.1";
  }
  return isEmpty ? "3.1" : "3.0";
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LINE_FEED = encoder.encode("\n");
