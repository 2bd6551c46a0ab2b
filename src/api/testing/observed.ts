/** A store that is watched, or made to fail, at its port. */
import type { Batches, Snapshot, Store } from "../../catalog/store.ts";

export interface Watch {
  /** Views that are open. */
  open: number;
  /** Views that were opened. */
  opened: number;
  /** Bytes of bodies that were read. */
  bytes: number;
  /** When set: what the store throws from now on, whatever it is asked. */
  broken?: Error;
  /** When set: what it throws once so many bytes of bodies have been read. */
  breakAfter?: number;
}

export function observed(store: Store): { store: Store; watch: Watch } {
  const watch: Watch = { open: 0, opened: 0, bytes: 0 };
  const work = () => {
    if (watch.broken) throw watch.broken;
  };
  return {
    watch,
    store: {
      revision() {
        work();
        return store.revision();
      },
      record(isbn) {
        work();
        return store.record(isbn);
      },
      snapshot() {
        work();
        const view = store.snapshot();
        return view instanceof Promise ? view.then((late) => see(late, watch)) : see(view, watch);
      },
      stats: () => store.stats(),
      tokens: store.tokens,
      beginImport: () => store.beginImport(),
      close: () => store.close(),
    },
  };
}

function see(view: Snapshot, watch: Watch): Snapshot {
  watch.open++;
  watch.opened++;
  let open = true;
  return {
    revision: view.revision,
    hasImprint: (slug) => view.hasImprint(slug),
    missing: (isbns) => view.missing(isbns),
    bodies: (selection) => counted(view.bodies(selection), watch),
    entries: () => view.entries(),
    isbns: () => view.isbns(),
    imprints: () => view.imprints(),
    close() {
      if (open) watch.open--;
      open = false;
      view.close();
    },
  };
}

function counted(batches: Batches<Uint8Array>, watch: Watch): Batches<Uint8Array> {
  const count = (batch: readonly Uint8Array[]) => {
    for (const body of batch) watch.bytes += body.length;
    if (watch.breakAfter !== undefined && watch.bytes > watch.breakAfter) {
      throw new Error("SQLITE_IOERR: secret of the disk");
    }
    return batch;
  };
  if (Symbol.iterator in batches) {
    return (function* () {
      for (const batch of batches) yield count(batch);
    })();
  }
  return (async function* () {
    for await (const batch of batches) yield count(batch);
  })();
}
