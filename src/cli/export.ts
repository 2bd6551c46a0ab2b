import type { Entry, Snapshot } from "../catalog/store.ts";
import type { Origin } from "../onix/record.ts";
import type { OnixRelease } from "../onix/message-version.ts";
import { MESSAGE_END, messageStart, NO_PRODUCT, writeProduct } from "../onix/writer.ts";
import { parse } from "./terminal/arguments.ts";
import { Output } from "./terminal/standard-output.ts";
import { EXIT, UsageError } from "./terminal/usage.ts";
import { openStore, whereOf } from "./config/store-location.ts";

/** `colophon export`: the catalog, by ISBN, on standard output. */
export async function exportCatalog(args: readonly string[]): Promise<number> {
  const { options } = parse(args, { db: { type: "string" }, format: { type: "string" } }, 0);
  const format = options.format ?? "ndjson";
  if (format !== "ndjson" && format !== "onix") {
    throw new UsageError(`--format is ndjson or onix, not "${format}"`);
  }
  const store = openStore(whereOf(options.db), { create: false });
  const view = await store.snapshot();
  try {
    const output = new Output();
    await (format === "onix" ? asOnix(view, output) : asLines(view, output));
    await output.flush();
    return EXIT.applied;
  } finally {
    view.close();
    await store.close();
  }
}

/** One record a line, the bytes of the API. */
async function asLines(view: Snapshot, output: Output): Promise<void> {
  for await (const batch of view.entries()) {
    for (const { body } of batch) output.write(body, LINE_FEED);
    await output.flush();
  }
}

async function asOnix(view: Snapshot, output: Output): Promise<void> {
  let empty = true;
  output.write(encoder.encode(messageStart(await releaseOf(view), "Colophon", new Date())));
  for await (const batch of view.entries()) {
    for (const entry of batch) output.write(encoder.encode(productOf(entry)));
    await output.flush();
    empty = false;
  }
  output.write(encoder.encode((empty ? NO_PRODUCT : "") + MESSAGE_END));
}

function productOf({ body, reference, origin }: Entry): string {
  return writeProduct(JSON.parse(decoder.decode(body)), reference, JSON.parse(origin));
}

/** A message has one release: 3.1, unless everything in it came as 3.0. */
async function releaseOf(view: Snapshot): Promise<OnixRelease> {
  let any = false;
  for await (const batch of view.entries()) {
    any = true;
    if (batch.some(({ origin }) => (JSON.parse(origin) as Origin).release === "3.1")) return "3.1";
  }
  return any ? "3.0" : "3.1";
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LINE_FEED = encoder.encode("\n");
