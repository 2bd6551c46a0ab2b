/** A store whose failures can be told from our own: they are 503, and never a 404 or an empty list. */
import { DamagedRecord } from "../catalog/damaged-record.ts";
import type { Batches, Snapshot, Store } from "../catalog/store.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import { attempt, then } from "../lib/awaitable.ts";

export type Readable = Pick<Store, "record" | "revision" | "snapshot">;

export class StoreUnavailable extends Error {
  override readonly name = "StoreFailure";

  constructor(cause: unknown) {
    super("The store cannot answer", { cause });
  }
}

export function guarded(store: Readable): Readable {
  return {
    // Written out, for the sake of lookups.
    record(isbn) {
      try {
        const record = store.record(isbn);
        return record instanceof Promise ? record.catch(fail) : record;
      } catch (error) {
        return fail(error);
      }
    },
    revision: () => guard(() => store.revision()),
    snapshot: () =>
      then(
        guard(() => store.snapshot()),
        guardedView,
      ),
  };
}

export function guard<T>(task: () => Awaitable<T>): Awaitable<T> {
  return attempt(task, fail);
}

function guardedView(view: Snapshot): Snapshot {
  return {
    revision: view.revision,
    hasImprint: (slug) => guard(() => view.hasImprint(slug)),
    missing: (isbns) => guard(() => view.missing(isbns)),
    bodies: (selection) => batches(() => view.bodies(selection)),
    entries: () => batches(() => view.entries()),
    isbns: () => batches(() => view.isbns()),
    imprints: () => batches(() => view.imprints()),
    close: () => view.close(),
  };
}

function batches<T>(open: () => Batches<T>): Batches<T> {
  let opened: Batches<T>;
  try {
    opened = open();
  } catch (error) {
    return fail(error);
  }
  return Symbol.iterator in opened ? now(opened) : later(opened);
}

function* now<T>(opened: Iterable<readonly T[]>): Generator<readonly T[], void> {
  try {
    yield* opened;
  } catch (error) {
    fail(error);
  }
}

async function* later<T>(opened: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[], void> {
  try {
    yield* opened;
  } catch (error) {
    fail(error);
  }
}

/** A damaged record is damaged the next time, too: no reason to ask again later, and so no 503. */
function fail(cause: unknown): never {
  if (cause instanceof DamagedRecord) throw cause;
  throw new StoreUnavailable(cause);
}
