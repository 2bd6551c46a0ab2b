import { EMPTY_REVISION } from "../../catalog/revision.ts";
import type { Store } from "../../catalog/store.ts";
import type { CatalogReader } from "./catalog-reader.ts";
import { Preview } from "./preview.ts";

const EMPTY_READER: CatalogReader = {
  revision: EMPTY_REVISION,
  records: 0,
  outlines: (isbns) => isbns.map(() => undefined),
  entries: (isbns) => isbns.map(() => undefined),
  byReferences: (_, references) => references.map(() => []),
  lastMessage: () => undefined,
  isbns: () => [],
  isbnsOf: () => [],
  bodies: () => [],
  close() {},
};

/** Stands for a catalog that does not exist. An import into it can be previewed. */
export const NO_CATALOG: Pick<Store, "beginPreview" | "close"> = {
  beginPreview: async () => new Preview(EMPTY_READER, () => {}),
  close: async () => {},
};
