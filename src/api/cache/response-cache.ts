/** Responses that are requested often, as bytes. A change of the catalog drops them all: see `freshness.ts`. */
import type { ResponseLease } from "../../server/app.ts";
import { type BodyStream, SerializedResponse } from "../../server/response.ts";
import type { CatalogFreshness, CatalogState } from "../freshness.ts";
import { matchesEtag } from "../response/negotiation.ts";
import { BodyRecorder } from "./body-recorder.ts";
import { ClockCache } from "./clock-cache.ts";
import { DelayedFree } from "./delayed-free.ts";
import { DroppedBodies, SharedBody } from "./dropped-bodies.ts";

/** The parts of a 200 and of the 304 to it. */
interface CacheableResponse {
  /** With its quotes. */
  readonly etag: string;
  /** Header lines of both. */
  readonly headers: string;
  /** Header lines of the 200 alone. */
  readonly contentHeaders: string;
  /** A list of chunks. */
  readonly body: readonly Uint8Array[];
}

const droppedResponses = new DelayedFree();

/** A 200 and the 304 to it. */
class CachedResponse {
  readonly #etag: string;
  readonly #headers: string;
  readonly #ok: SerializedResponse;
  /** Undefined when the body is short: the system copies it. */
  readonly #longBody: SharedBody | undefined;
  /** Made on demand: most are never requested. */
  #notModified: SerializedResponse | undefined;

  /** `wasRecorded`: nothing else refers to the body. */
  constructor(content: CacheableResponse, wasRecorded: boolean, dropped: DroppedBodies) {
    const { etag, headers, contentHeaders, body } = content;
    this.#etag = etag;
    this.#headers = headers;
    this.#ok = new SerializedResponse(200, headers + contentHeaders, body);
    const { longBody, bodyBytes } = this.#ok;
    this.#longBody = longBody && new SharedBody(bodyBytes, dropped, wasRecorded ? longBody : []);
  }

  get isLong(): boolean {
    return this.#longBody !== undefined;
  }

  /** Covers the 304 and the header text, too. */
  get sizeBytes(): number {
    return this.#ok.sizeBytes + 3 * this.#headers.length;
  }

  respond(ifNoneMatch: string | null): SerializedResponse {
    if (ifNoneMatch === null || !matchesEtag(ifNoneMatch, this.#etag)) return this.#ok;
    this.#notModified ??= new SerializedResponse(304, this.#headers, undefined);
    return this.#notModified;
  }

  /** Returns what a response in flight holds, if that is worth counting. */
  lease(exchange: { readonly key: string }): ResponseLease | undefined {
    return this.#longBody?.lease(exchange.key);
  }

  /** Called when the cache no longer has the response. Nobody can find it any more. */
  drop(): void {
    if (this.#longBody) this.#longBody.drop();
    else droppedResponses.add(this.#ok);
  }
}

/** The part of the budget that bodies may take beyond it, which are still being sent when the cache drops them. */
const MAX_DROPPED_SHARE = 0.5;

export class ResponseCache {
  readonly #freshness: CatalogFreshness;
  readonly #responses: ClockCache<CachedResponse>;
  readonly #recorder: BodyRecorder;
  readonly #dropped: DroppedBodies;
  /** The state that all cached responses belong to. */
  #state: CatalogState | undefined;

  constructor(freshness: CatalogFreshness, budgetBytes: number) {
    this.#freshness = freshness;
    this.#dropped = new DroppedBodies(budgetBytes * MAX_DROPPED_SHARE);
    this.#responses = new ClockCache(budgetBytes, (response) => response.drop());
    this.#recorder = new BodyRecorder(Math.floor(budgetBytes * 0.95), (bytes) =>
      this.#responses.reserve(bytes),
    );
  }

  /** Returns a response of the catalog's present state. */
  find(key: string): CachedResponse | undefined {
    this.#dropStale();
    return this.#responses.get(key);
  }

  /** Counts a miss. Returns a slot for the response when it is worth storing. */
  slotAfterMiss(key: string): CacheSlot | undefined {
    const state = this.#dropStale();
    return this.#responses.countMiss(key) ? new CacheSlot(this, key, state) : undefined;
  }

  /**
   * Stores a response, unless another state has been seen since its slot was taken. Does not check for a newer state:
   * the next `find` does. A list is stored in a `setImmediate` callback, where no tick may begin (see `freshness.ts`).
   */
  store(key: string, state: CatalogState, content: CacheableResponse, wasRecorded: boolean): CachedResponse {
    const response = new CachedResponse(content, wasRecorded, this.#dropped);
    // A recording has dropped others already, and began while there was room.
    const hasRoom = wasRecorded || !response.isLong || !this.#dropped.isFull;
    if (this.#state === state && hasRoom) this.#responses.set(key, response, response.sizeBytes);
    else if (wasRecorded) response.drop();
    return response;
  }

  /** Records a list that is being sent; calls back with the whole body. */
  record(stream: BodyStream, onComplete: (body: readonly Uint8Array[]) => void): BodyStream {
    return this.#dropped.isFull ? stream : this.#recorder.record(stream, onComplete);
  }

  #dropStale(): CatalogState {
    const state = this.#freshness.current();
    if (state !== this.#state) {
      this.#responses.clear();
      this.#state = state;
    }
    return state;
  }
}

/** A place in the cache for a response that is being made. */
export class CacheSlot {
  readonly #cache: ResponseCache;
  readonly #key: string;
  readonly #state: CatalogState;

  /** `state` is the catalog's state from before the response was requested of the store. */
  constructor(cache: ResponseCache, key: string, state: CatalogState) {
    this.#cache = cache;
    this.#key = key;
    this.#state = state;
  }

  get revision(): string {
    return this.#state.revision;
  }

  store(content: CacheableResponse): CachedResponse {
    return this.#cache.store(this.#key, this.#state, content, false);
  }

  /** Stores a list once it has been sent: `contentOf` makes the response from its body. */
  record(stream: BodyStream, contentOf: (body: readonly Uint8Array[]) => CacheableResponse): BodyStream {
    return this.#cache.record(stream, (body) =>
      this.#cache.store(this.#key, this.#state, contentOf(body), true),
    );
  }
}
