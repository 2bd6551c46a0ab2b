/** Measures imports on several stores, and `xmllint` on the same feeds where they have new books. */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { withStore } from "../../src/cli/config/store-location.ts";
import type { Isbn13 } from "../../src/onix/isbn.ts";
import { importFeed } from "../catalog.ts";
import { formatCount } from "../command.ts";
import { writeFeed } from "../feed.ts";
import { inTurns, median, percentile } from "../measure.ts";
import { runCommand } from "../processes.ts";
import { isbnAt } from "../product-xml.ts";
import type { RowResult, Values } from "./limits.ts";
import { type CatalogSize, catalogFeed, DAY, type ImportRow, type ImportSizes, MEMORY } from "./rows.ts";
import type { MeasuredCatalog, MeasuredStore } from "./stores.ts";

interface MeasureOptions {
  readonly folder: string;
  readonly sizes: ImportSizes;
  /** The part of a feed whose import is subtracted as the start of the program. 0: one product. */
  readonly startShare: number;
  /** How often each import is measured. The median counts. */
  readonly rounds: number;
}

/** What one import takes. The CPU time is that of the import process and of the PostgreSQL server. */
interface ImportCost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMB: number;
  readonly logBytes: number;
  readonly fileBytes: number;
  readonly p99Ratio: number;
}

const XMLLINT = ["xmllint", "--stream", "--noout", "--nonet"];
const READ_INTERVAL_MS = 2;
const READ_ALONE_MS = 2000;

export class ImportBench implements AsyncDisposable {
  readonly results: RowResult[] = [];
  readonly #options: MeasureOptions;
  readonly #catalogs = new Map<string, MeasuredCatalog>();

  constructor(options: MeasureOptions) {
    this.#options = options;
  }

  /** Measures a row on each store, after the rows that it is compared with. */
  async measure(row: ImportRow, stores: readonly MeasuredStore[]): Promise<void> {
    const { folder, startShare, rounds } = this.#options;
    const sizes = { ...this.#options.sizes, ...row.sizes };
    const [feed, startFeed] = [join(folder, "feed.xml"), join(folder, "start.xml")];
    const products = await row.writeFeed(feed, sizes);
    const startProducts = await row.writeFeed(startFeed, {
      ...sizes,
      records: Math.max(1, Math.ceil(sizes.records * startShare)),
      changed: Math.max(1, Math.ceil(sizes.changed * startShare)),
      sampleMegabytes: sizes.sampleMegabytes * startShare,
    });
    for (const store of stores) {
      // A new row needs none, but a PostgreSQL server creates its log files during the first import.
      const made = await this.#catalogOf(store, row.onto ?? "small");
      const catalog = row.onto && made;
      const [starts, runs] = await inTurns(
        rounds,
        // Without `--replace`, which refuses to remove most of the catalog.
        () => this.#import(store, catalog, startFeed, startProducts, { ...row, options: [] }),
        () => this.#import(store, catalog, feed, products, row),
      );
      const [parses] = await inTurns(row.onto ? 0 : rounds, () => runCommand([...XMLLINT, feed]));
      const of = (key: keyof ImportCost) => median(runs!.map((run) => run[key]));
      const net = (key: "seconds" | "cpuSeconds") => of(key) - median(starts!.map((run) => run[key]));
      const count = products - startProducts;
      const [seconds, cpuSeconds, bytes] = [net("seconds"), net("cpuSeconds"), statSync(feed).size];
      const values = {
        products,
        megabytes: bytes / 1e6,
        seconds,
        cpuSeconds,
        cpuMicroseconds: (cpuSeconds / count) * 1e6,
        productsPerSecond: count / seconds,
        peakMB: Math.max(...runs!.map((run) => run.peakMB)),
        logRatio: of("logBytes") / bytes,
        ...(!row.onto && {
          xmllintRatio: (median(parses!.map((run) => run.seconds)) * count) / products / seconds,
          fileRatio: of("fileBytes") / bytes,
        }),
        ...(row.onto === "large" && { p99Ratio: of("p99Ratio") }),
      };
      const before = store.id === "sqlite" ? row.before : undefined;
      const compared = this.#compared(row, store, values);
      this.results.push({
        id: row.id,
        name: row.name,
        store: store.id,
        before,
        values: { ...values, ...compared },
      });
    }
    for (const path of [feed, startFeed]) rmSync(path);
  }

  #compared(
    { id, onto }: ImportRow,
    store: MeasuredStore,
    own: Required<Pick<Values, "productsPerSecond" | "peakMB">>,
  ): Values {
    const found = (wanted: string, storeId = store.id) =>
      this.results.find((result) => result.id === wanted && result.store === storeId)?.values;
    const first = this.results.find((result) => result.id.startsWith(MEMORY) && result.store === store.id);
    const timeRatio = (values: Values | undefined) =>
      values && values.productsPerSecond! / own.productsPerSecond!;
    return {
      newRatio: onto && timeRatio(found("new")),
      smallRatio: onto === "large" ? timeRatio(found(id.slice(DAY.length))) : undefined,
      sqliteRatio: store.id === "sqlite" ? undefined : timeRatio(found(id, "sqlite")),
      growth: id.startsWith(MEMORY) ? own.peakMB! / (first?.values ?? own).peakMB! : undefined,
    };
  }

  /** Returns the catalog that feeds are imported onto. The first call makes it. */
  async #catalogOf(store: MeasuredStore, size: CatalogSize): Promise<MeasuredCatalog> {
    const known = this.#catalogs.get(store.id + size);
    if (known) return known;
    const feed = join(this.#options.folder, "catalog.xml");
    const catalog = await store.create();
    this.#catalogs.set(store.id + size, catalog);
    await writeFeed(feed, catalogFeed(this.#options.sizes, size));
    await importFeed(catalog.location, feed);
    rmSync(feed);
    return catalog;
  }

  /** Imports a feed into a new catalog, or into a copy of one. A copy of the large one is read meanwhile. */
  async #import(
    store: MeasuredStore,
    from: MeasuredCatalog | undefined,
    feed: string,
    products: number,
    { onto, options, outcome }: ImportRow,
  ): Promise<ImportCost> {
    await using catalog = await store.create(from);
    const { location } = catalog;
    const reader = onto === "large" ? await startReading(location, this.#options.sizes.onto) : undefined;
    const end = await catalog.watch();
    const { stdout, seconds, cpuSeconds, peakMB } = await importFeed(location, feed, options);
    const { logBytes, serverCpuSeconds } = await end();
    const p99Ratio = (await reader?.()) ?? Number.NaN;
    if (!stdout.includes(`${formatCount(products)} ${outcome}`)) throw new Error(`unexpected: ${stdout}`);
    const fileBytes = await catalog.sizeBytes();
    return { seconds, cpuSeconds: cpuSeconds + serverCpuSeconds, peakMB, logBytes, fileBytes, p99Ratio };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const catalog of this.#catalogs.values()) await catalog[Symbol.asyncDispose]();
  }
}

/** Reads records, first alone. The returned function ends it, and returns the p99 since then divided by that. */
async function startReading(location: string, books: number): Promise<() => Promise<number>> {
  let timesMs: number[] = [];
  let isEnded = false;
  const reading = withStore(location, { create: false, readonly: true }, async (store) => {
    for (let count = 0; !isEnded; count++) {
      await Bun.sleep(READ_INTERVAL_MS);
      const isbn = isbnAt((count * 7919) % books) as Isbn13;
      const startMs = performance.now();
      await store.record(isbn);
      timesMs.push(performance.now() - startMs);
    }
  });
  await Bun.sleep(READ_ALONE_MS);
  const aloneMs = percentile(timesMs, 0.99);
  timesMs = [];
  return async () => {
    isEnded = true;
    await reading;
    return percentile(timesMs, 0.99) / aloneMs;
  };
}
