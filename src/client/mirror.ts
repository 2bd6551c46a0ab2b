/** Keeps a copy of the catalog up to date. */
import { type Change, Changes, type ChangesOptions } from "./changes.ts";
import { ColophonError } from "./errors.ts";
import { pause, type Transport } from "./transport.ts";

/** How far a mirror has come. */
export interface MirrorState {
  readonly cursor: string;
  /** True until all books have been applied for the first time, or anew. */
  readonly isLoading: boolean;
}

/** Where the copy is kept. */
export interface MirrorTarget<Book> {
  /** Returns the state that was saved last. Undefined: the catalog is loaded from the beginning. */
  state(): Promise<MirrorState | undefined>;
  /**
   * Applies changes, then saves the state. After a crash between the two, the same changes come again: applying them
   * twice must be the same as once.
   */
  apply(changes: readonly Change<Book>[], state: MirrorState): Promise<void>;
  /**
   * The catalog is loaded from the beginning: there is no state, or the service no longer accepts its cursor. The
   * target notes the moment and forgets the state. What the load does not bring is no longer in the catalog.
   */
  loadBegins(): Promise<void>;
  /** The load has ended. The target removes what was not applied since `loadBegins`, then saves the state. */
  loadEnds(state: MirrorState): Promise<void>;
}

export interface MirrorOptions extends Pick<ChangesOptions, "limit"> {
  /** Default: `record`. */
  readonly view?: "record" | "summary";
  /** Goes on for ever, and asks for changes this often. When omitted, the mirror ends when it is up to date. */
  readonly everyMs?: number;
  /** Ends the mirror. It then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

export interface MirrorResult {
  /** The number of changes that were applied. */
  readonly changes: number;
}

const GONE = 410;

/** Resolves when the copy is up to date, unless `everyMs` is given. */
export async function mirror<Book>(
  transport: Transport,
  target: MirrorTarget<Book>,
  { view = "record", limit, everyMs, signal }: MirrorOptions = {},
): Promise<MirrorResult> {
  const requests = transport.until(signal);
  let state = await target.state();
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const isLoading: boolean = state?.isLoading ?? true;
    if (state === undefined) await target.loadBegins();
    try {
      for await (const page of new Changes<Book>(requests, { since: state?.cursor, view, limit }).pages()) {
        signal?.throwIfAborted();
        state = { cursor: page.next, isLoading };
        await target.apply(page.changes, state);
        count += page.changes.length;
      }
    } catch (error) {
      // The deletions since the cursor are no longer known, or the catalog is another one.
      if (!(error instanceof ColophonError) || error.status !== GONE || state === undefined) throw error;
      state = undefined;
      continue;
    }
    if (isLoading) {
      state = { cursor: state!.cursor, isLoading: false };
      await target.loadEnds(state);
    }
    if (everyMs === undefined) return { changes: count };
    await pause(everyMs, signal);
  }
}
