import { Reading } from "./reading.ts";
import { SqliteView } from "./view.ts";

/** Connections that wait for their next view; more are made when more are read at once, and closed after. */
const KEPT = 16;

/** KiB. Small: hundreds of slow readers may each have one, and the system's own cache is behind it. */
const CACHE = 256;

/**
 * The first one has the inner pages of a large catalog: it is the one that views are read on which are closed at once,
 * as those of a few books are.
 */
const CACHE_OF_FIRST = 4 * 1024;

/** Gives out views, each on a connection of its own. */
export class Views {
  readonly #path: string;
  readonly #readonly: boolean;
  readonly #idle: Reading[] = [];
  readonly #open = new Set<SqliteView>();
  #first: Reading | undefined;

  constructor(path: string, readonly: boolean) {
    this.#path = path;
    this.#readonly = readonly;
  }

  take(): SqliteView {
    const reading = this.#idle.pop() ?? this.#another();
    try {
      const view: SqliteView = new SqliteView(reading, () => {
        this.#open.delete(view);
        this.#giveBack(reading);
      });
      this.#open.add(view);
      return view;
    } catch (error) {
      if (reading === this.#first) this.#first = undefined;
      reading.close();
      throw error;
    }
  }

  #another(): Reading {
    const cache = this.#first === undefined ? CACHE_OF_FIRST : CACHE;
    const reading = new Reading(this.#path, this.#readonly, cache);
    this.#first ??= reading;
    return reading;
  }

  close(): void {
    for (const view of this.#open) view.close();
    for (const reading of this.#idle.splice(0)) reading.close();
  }

  #giveBack(reading: Reading): void {
    reading.end();
    // The last is taken next.
    if (reading === this.#first) this.#idle.push(reading);
    else if (this.#idle.length < KEPT) this.#idle.unshift(reading);
    else reading.close();
  }
}
