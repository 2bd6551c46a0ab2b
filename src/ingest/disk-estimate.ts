/** What an import needs of the disk that a catalog file is on. */
import type { Store } from "../catalog/store.ts";
import { ImportError } from "../feed/feed-error.ts";
import { unpackedBytes } from "../feed/unpacked-size.ts";
import type { FeedSource } from "./feed-source.ts";

/**
 * Per byte of XML: new books are written to the log and to the file. Measured with 10,000 books of 4 kB: 1.4 into a new
 * catalog, 2.9 into one that is in use, 2.4 when all are updated.
 */
const DISK_BYTES_PER_XML_BYTE = 3;

/**
 * Throws `ImportError` when less is free. A store that cannot see its disk, as PostgreSQL, finds out by itself. A source
 * whose size is not known counts nothing.
 */
export function requireSpaceFor(
  sources: readonly Pick<FeedSource, "name" | "path" | "sizeBytes">[],
  store: Pick<Store, "load">,
): void {
  const { diskFreeBytes, freePageBytes = 0 } = store.load?.() ?? {};
  if (diskFreeBytes === undefined) return;
  // Opening a pipe takes it from the reader, and its writer ends.
  const xmlBytes = sources.map(({ name, path = name, sizeBytes }) =>
    sizeBytes === undefined ? 0 : unpackedBytes(path, sizeBytes),
  );
  const neededBytes = DISK_BYTES_PER_XML_BYTE * xmlBytes.reduce((sum, each) => sum + each, 0) - freePageBytes;
  if (neededBytes <= diskFreeBytes) return;
  const [needed, free] = [Math.ceil(neededBytes / 1e6), Math.floor(diskFreeBytes / 1e6)];
  throw new ImportError(
    `the import needs about ${needed} MB on the disk of the catalog, and ${free} MB are free; the catalog is unchanged: free some space, and import again`,
  );
}
