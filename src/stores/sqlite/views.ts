import { Reading } from "./reading.ts";
import { SqliteView } from "./view.ts";

/** Connections that wait for their next view; more are made when more are read at once, and closed after. */
const KEPT = 16;

/** Gives out views, each on a connection of its own. */
export class Views {
  readonly #path: string;
  readonly #readonly: boolean;
  readonly #idle: Reading[] = [];
  readonly #open = new Set<SqliteView>();

  constructor(path: string, readonly: boolean) {
    this.#path = path;
    this.#readonly = readonly;
  }

  take(): SqliteView {
    const reading = this.#idle.pop() ?? new Reading(this.#path, this.#readonly);
    try {
      const view: SqliteView = new SqliteView(reading, () => {
        this.#open.delete(view);
        this.#giveBack(reading);
      });
      this.#open.add(view);
      return view;
    } catch (error) {
      reading.close();
      throw error;
    }
  }

  close(): void {
    for (const view of this.#open) view.close();
    for (const reading of this.#idle.splice(0)) reading.close();
  }

  #giveBack(reading: Reading): void {
    reading.end();
    if (this.#idle.length < KEPT) this.#idle.push(reading);
    else reading.close();
  }
}
