/**
 * The memory that lists in flight may take together, shared between clients by dynamic thresholds (Choudhury and Hahne):
 * a client holds at most twice of what is free, so another one finds room at once. A list that does not fit waits for
 * its turn. Slow clients give memory back when others with less wait, and those that hold most are the first.
 */
import type { Awaitable } from "../lib/awaitable.ts";
import type { ResponseLease, ResponsePace } from "../server/app.ts";

interface StreamBudgetOptions {
  readonly maxBytes: number;
  /** How long a list waits for memory. Default: 10 seconds. */
  readonly maxWaitMs?: number;
}

/** Beyond the idle process: about 1,000 plain lists, or 100 to 170 encoded ones. */
export const DEFAULT_STREAM_BYTES = 128 * 1024 * 1024;

const DEFAULT_MAX_WAIT_MS = 10_000;

/** The part of the budget for further lists of clients that have one. The rest is for the first list of each client. */
const SHARED_PART = 0.75;
/** Further lists of a client are within so many times the free bytes of that part: ten such clients leave 5 % of it. */
const MAX_OF_FREE = 2;
/** The part of the places to wait that one client can have. */
const MAX_CLIENT_SHARE = 0.75;

/** The lists that can wait. Each holds its request, of which the target alone can have 56 kB. */
const MAX_WAITING = 1000;

/** A client above its fair share that takes nothing for so long counts as slow. One of 20 kB/s takes some every 5 to 10 s. */
const STALLED_SECONDS = 20;

/** A list that waits for memory. */
interface Waiter {
  readonly bytes: number;
  readonly isAbandoned: () => boolean;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly resolve: (lease: StreamLease | undefined) => void;
}

/** What one client holds and waits for. */
interface Client {
  readonly key: string;
  heldBytes: number;
  readonly waiting: Set<Waiter>;
  waitingBytes: number;
  slowLists: number;
}

export class StreamBudget {
  readonly #maxBytes: number;
  readonly #maxWaitMs: number;
  readonly #clients = new Map<string, Client>();
  #usedBytes = 0;
  #waiting = 0;
  /** The bytes of leases that were recalled and not yet released. */
  #recalledBytes = 0;

  constructor({ maxBytes, maxWaitMs = DEFAULT_MAX_WAIT_MS }: StreamBudgetOptions) {
    this.#maxBytes = maxBytes;
    this.#maxWaitMs = maxWaitMs;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Takes memory for a list of a client. Returns undefined when there is none within the time to wait, when too many
   * lists wait, or when the client has left meanwhile.
   */
  acquire(
    clientKey: string,
    bytes: number,
    isAbandoned: () => boolean = () => false,
  ): Awaitable<StreamLease | undefined> {
    const client = this.#clientOf(clientKey);
    if (client.waiting.size === 0 && this.#fits(client, bytes)) return this.#grant(client, bytes);
    if (!this.#hasPlace(client)) {
      this.#forgetIfIdle(client);
      return undefined;
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#stopWaiting(client, waiter);
        resolve(undefined);
      }, this.#maxWaitMs);
      const waiter: Waiter = { bytes, isAbandoned, timer, resolve };
      client.waiting.add(waiter);
      this.#waiting++;
      client.waitingBytes += bytes;
    });
  }

  /** Called by the lease. */
  release(client: Client, bytes: number, wasRecalled: boolean): void {
    client.heldBytes -= bytes;
    this.#usedBytes -= bytes;
    if (wasRecalled) this.#recalledBytes -= bytes;
    this.#forgetIfIdle(client);
    this.#grantWaiting();
  }

  /** Returns whether a client has several lists, and more than its fair share. Is called by the lease. */
  isAboveShare({ heldBytes }: Client, bytes: number): boolean {
    return heldBytes > bytes && heldBytes * this.#clients.size > this.#usedBytes;
  }

  /**
   * Decides whether a client loses its slow list. Those with the most do so first, and not more than clients with less
   * wait for. Is called by the lease.
   */
  recall(client: Client, bytes: number): boolean {
    if (this.#waiting === 0) return false;
    let wantedBytes = 0;
    for (const other of this.#clients.values()) {
      if (other.heldBytes > client.heldBytes && other.slowLists > 0) return false;
      if (other.heldBytes < client.heldBytes) wantedBytes += other.waitingBytes;
    }
    if (this.#recalledBytes >= wantedBytes) return false;
    this.#recalledBytes += bytes;
    return true;
  }

  #clientOf(key: string): Client {
    let client = this.#clients.get(key);
    if (client === undefined) {
      client = { key, heldBytes: 0, waiting: new Set(), waitingBytes: 0, slowLists: 0 };
      this.#clients.set(key, client);
    }
    return client;
  }

  /** A list that alone exceeds the budget fits when nothing else is in flight. */
  #fits(client: Client, bytes: number): boolean {
    if (this.#usedBytes === 0) return true;
    const usedBytes = this.#usedBytes + bytes;
    if (client.heldBytes === 0) return usedBytes <= this.#maxBytes;
    return client.heldBytes + bytes <= MAX_OF_FREE * (SHARED_PART * this.#maxBytes - usedBytes);
  }

  /** Longest queue drop: a client with few lists that wait gets a place whatever the others have waiting. */
  #hasPlace(client: Client): boolean {
    if (this.#waiting >= MAX_WAITING) this.#removeAbandoned();
    if (client.waiting.size >= MAX_CLIENT_SHARE * MAX_WAITING) return false;
    if (this.#waiting < MAX_WAITING) return true;
    let longest = client;
    for (const other of this.#clients.values())
      if (other.waiting.size > longest.waiting.size) longest = other;
    if (longest === client) return false;
    const last = [...longest.waiting].at(-1)!;
    this.#stopWaiting(longest, last);
    last.resolve(undefined);
    return true;
  }

  #grant(client: Client, bytes: number): StreamLease {
    // A client whose only list was waiting has just been forgotten.
    this.#clients.set(client.key, client);
    client.heldBytes += bytes;
    this.#usedBytes += bytes;
    return new StreamLease(this, client, bytes);
  }

  /** Grants what fits, first to the clients that hold least. */
  #grantWaiting(): void {
    for (;;) {
      let next: Client | undefined;
      for (const client of this.#clients.values()) {
        if (client.waiting.size > 0 && (!next || client.heldBytes < next.heldBytes)) next = client;
      }
      if (next === undefined) return;
      const [waiter] = next.waiting;
      const isAbandoned = waiter!.isAbandoned();
      if (!isAbandoned && !this.#fits(next, waiter!.bytes)) return;
      this.#stopWaiting(next, waiter!);
      waiter!.resolve(isAbandoned ? undefined : this.#grant(next, waiter!.bytes));
    }
  }

  /** Lists of clients that have left would else wait until it is their turn, in the place of others. */
  #removeAbandoned(): void {
    for (const client of [...this.#clients.values()]) {
      for (const waiter of [...client.waiting]) {
        if (!waiter.isAbandoned()) continue;
        this.#stopWaiting(client, waiter);
        waiter.resolve(undefined);
      }
    }
  }

  #stopWaiting(client: Client, waiter: Waiter): void {
    clearTimeout(waiter.timer);
    client.waiting.delete(waiter);
    this.#waiting--;
    client.waitingBytes -= waiter.bytes;
    this.#forgetIfIdle(client);
  }

  #forgetIfIdle(client: Client): void {
    if (client.heldBytes === 0 && client.waiting.size === 0) this.#clients.delete(client.key);
  }
}

/** Memory that a list holds until it has been sent. */
export class StreamLease implements ResponseLease {
  readonly #budget: StreamBudget;
  readonly #client: Client;
  readonly #bytes: number;
  #isSlow = false;
  #isReleased = false;
  #isRecalled = false;

  constructor(budget: StreamBudget, client: Client, bytes: number) {
    this.#budget = budget;
    this.#client = client;
    this.#bytes = bytes;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#setSlow(false);
    this.#budget.release(this.#client, this.#bytes, this.#isRecalled);
  }

  get client(): string {
    return this.#client.key;
  }

  isRecalled({ isSlow, stalledSeconds }: ResponsePace): boolean {
    if (this.#isReleased || this.#isRecalled) return false;
    const isStalled = stalledSeconds >= STALLED_SECONDS;
    this.#setSlow(isSlow || (isStalled && this.#budget.isAboveShare(this.#client, this.#bytes)));
    this.#isRecalled = this.#isSlow && this.#budget.recall(this.#client, this.#bytes);
    return this.#isRecalled;
  }

  /** Clients with slow lists lose them in the order of what they hold. */
  #setSlow(isSlow: boolean): void {
    if (this.#isSlow === isSlow) return;
    this.#isSlow = isSlow;
    this.#client.slowLists += isSlow ? 1 : -1;
  }
}
