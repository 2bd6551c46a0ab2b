import type { DatabaseAddress } from "../connection.ts";
import { Session } from "./session.ts";

/**
 * Opens sessions on demand and keeps some of them for their next use. They do not come from a pool of Bun's client: that
 * opens all of its connections when a few are requested at once, and does not tell which one a query uses.
 */
export class Sessions {
  readonly #address: DatabaseAddress;
  readonly #maxIdle: number;
  readonly #idle: Session[] = [];
  #acquired = 0;
  #isClosed = false;

  constructor(address: DatabaseAddress, maxIdle: number) {
    this.#address = address;
    this.#maxIdle = maxIdle;
  }

  /** The number of open connections. */
  get count(): number {
    return this.#acquired + this.#idle.length;
  }

  /** Returns an idle session or a new one. The caller releases or discards it. */
  async acquire(): Promise<Session> {
    if (this.#isClosed) throw new Error("The store is closed");
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isUsable) {
        this.#acquired++;
        return idle;
      }
      idle.close();
    }
    this.#acquired++;
    try {
      return await Session.open(this.#address);
    } catch (error) {
      this.#acquired--;
      throw error;
    }
  }

  release(session: Session): void {
    this.#acquired--;
    if (this.#isClosed || !session.isUsable || this.#idle.length >= this.#maxIdle) session.close();
    else this.#idle.push(session);
  }

  /** Closes a session that may not be usable any more. */
  discard(session: Session): void {
    this.#acquired--;
    session.close();
  }

  closeIdle(): void {
    for (const session of this.#idle.splice(0)) session.close();
  }

  /** Closes idle sessions now, and the others when they are released. */
  close(): void {
    this.#isClosed = true;
    this.closeIdle();
  }
}
