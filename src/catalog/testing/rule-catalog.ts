import type { Isbn13 } from "../../onix/isbn.ts";
import type { RecordFields } from "../../onix/record/record-fields.ts";
import type { Entry } from "../store.ts";
import { type ImportableCatalog, type ImportFeedsOptions, importFeeds } from "./import-feeds.ts";

export const A = "9788437604947";
export const B = "9780199632091";
export const C = "9782070360024";

/** Opens an empty catalog: in memory, or in a store of any engine. */
export type OpenCatalog = () => Promise<RuleCatalog>;

/** A catalog that the rules of imports are tested on. */
export class RuleCatalog implements AsyncDisposable {
  constructor(
    private readonly catalog: ImportableCatalog,
    private readonly dispose: () => PromiseLike<void> = async () => {},
  ) {}

  import(feeds: string | readonly string[], options: ImportFeedsOptions = {}) {
    return importFeeds(this.catalog, feeds, options);
  }

  /** Returns the ISBNs among A, B and C that the catalog has. */
  async isbns(): Promise<readonly string[]> {
    return (await this.entries([A, B, C])).flatMap((entry) => entry?.isbn ?? []);
  }

  async entry(isbn: string): Promise<Entry | undefined> {
    return (await this.entries([isbn]))[0];
  }

  async record(isbn: string): Promise<RecordFields | undefined> {
    const entry = await this.entry(isbn);
    return entry && JSON.parse(new TextDecoder().decode(entry.body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  private async entries(isbns: readonly string[]): Promise<readonly (Entry | undefined)[]> {
    const transaction = await this.catalog.beginImport();
    try {
      return await transaction.entries(isbns as readonly Isbn13[]);
    } finally {
      await transaction.abort();
    }
  }
}
