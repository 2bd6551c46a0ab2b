/**
 * The memory that lists in flight may take together. A list that does not fit waits for its turn. Clients that read
 * nothing give their memory back when others wait.
 */
import type { Awaitable } from "../lib/awaitable.ts";
import type { ResponseLease } from "../server/app.ts";

export interface StreamBudgetOptions {
  readonly maxBytes: number;
  /** How long a list waits for memory. Default: 10 seconds. */
  readonly maxWaitMs?: number;
}

/** Beyond the idle process: about 1,000 plain lists, or 100 to 170 encoded ones. */
export const DEFAULT_STREAM_BYTES = 128 * 1024 * 1024;

const DEFAULT_MAX_WAIT_MS = 10_000;

/** The part of the budget for further lists of clients that have one. The rest is for the first list of each client. */
const SHARED_PART = 0.75;
/** The part of the places to wait that one client can have. */
const MAX_CLIENT_SHARE = 0.75;

/** The lists that can wait. Each holds its request, of which the target alone can have 56 kB. */
const MAX_WAITING = 1000;

/** A client that takes nothing for so long loses its list when others wait. */
export const RECALL_AFTER_SECONDS = 5;

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
}

export class StreamBudget {
  readonly #maxBytes: number;
  readonly #maxWaitMs: number;
  readonly #clients = new Map<string, Client>();
  #usedBytes = 0;
  #waiting = 0;
  #waitingBytes = 0;
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
   * lists wait already, or when the client has left meanwhile.
   */
  acquire(
    clientKey: string,
    bytes: number,
    isAbandoned: () => boolean = () => false,
  ): Awaitable<StreamLease | undefined> {
    if (this.#waiting >= MAX_WAITING) this.#removeAbandoned();
    const client = this.#clientOf(clientKey);
    if (client.waiting.size === 0 && this.#fits(client, bytes)) return this.#grant(client, bytes);
    if (!this.#mayWait(client)) {
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
      this.#waitingBytes += bytes;
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

  /**
   * Decides whether a client loses its list, of which it has taken nothing for so long. Only clients that hold the most
   * do, and not more of them than others wait for. Is called by the lease.
   */
  recall(client: Client, bytes: number, stalledSeconds: number): boolean {
    if (stalledSeconds < RECALL_AFTER_SECONDS || this.#recalledBytes >= this.#waitingBytes) return false;
    for (const other of this.#clients.values()) if (other.heldBytes > client.heldBytes) return false;
    this.#recalledBytes += bytes;
    return true;
  }

  #clientOf(key: string): Client {
    let client = this.#clients.get(key);
    if (client === undefined) {
      client = { key, heldBytes: 0, waiting: new Set() };
      this.#clients.set(key, client);
    }
    return client;
  }

  /** A list that alone exceeds the budget fits when nothing else is in flight. */
  #fits(client: Client, bytes: number): boolean {
    if (this.#usedBytes === 0) return true;
    const part = client.heldBytes === 0 ? 1 : SHARED_PART;
    return this.#usedBytes + bytes <= part * this.#maxBytes;
  }

  #mayWait(client: Client): boolean {
    return this.#waiting < MAX_WAITING && client.waiting.size < MAX_CLIENT_SHARE * MAX_WAITING;
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
    this.#waitingBytes -= waiter.bytes;
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
    this.#budget.release(this.#client, this.#bytes, this.#isRecalled);
  }

  isRecalled(stalledSeconds: number): boolean {
    if (this.#isReleased || this.#isRecalled) return false;
    this.#isRecalled = this.#budget.recall(this.#client, this.#bytes, stalledSeconds);
    return this.#isRecalled;
  }
}
