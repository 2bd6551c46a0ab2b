import type { Database, Statement } from "bun:sqlite";
import type { MessageMark } from "../../../catalog/import-state.ts";
import { messageMarkFromRow, type SenderRow } from "../../columns.ts";

/** The `sender` table within an import. */
export class Senders {
  readonly #byKey: Statement<SenderRow, [string]>;
  readonly #byId: Statement<{ key: string }, [number]>;
  readonly #insert: Statement<{ id: number }, [string]>;
  readonly #setLastMessage: Statement<unknown, [string | null, string | null, number]>;
  /** An import has few senders, and a record costs no query for its sender. */
  readonly #ids = new Map<string, number>();
  readonly #keys = new Map<number, string | undefined>();

  constructor(db: Database) {
    this.#byKey = db.prepare("SELECT id, sent, message_number FROM sender WHERE key = ?");
    this.#byId = db.prepare("SELECT key FROM sender WHERE id = ?");
    this.#insert = db.prepare("INSERT INTO sender (key) VALUES (?) RETURNING id");
    this.#setLastMessage = db.prepare("UPDATE sender SET sent = ?, message_number = ? WHERE id = ?");
  }

  /** Returns the id of a sender. Is undefined when the catalog does not know it. */
  find(key: string): number | undefined {
    const id = this.#ids.get(key) ?? this.#byKey.get(key)?.id;
    if (id !== undefined) this.#ids.set(key, id);
    return id;
  }

  /** Returns the id of a sender, which is added when it is new. */
  idOf(key: string): number {
    const id = this.find(key) ?? this.#insert.get(key)!.id;
    this.#ids.set(key, id);
    return id;
  }

  /** Returns the key of a sender. Is undefined for an id that only a damaged catalog has. */
  keyOf(id: number): string | undefined {
    if (!this.#keys.has(id)) this.#keys.set(id, this.#byId.get(id)?.key);
    return this.#keys.get(id);
  }

  lastMessage(key: string): MessageMark | undefined {
    return messageMarkFromRow(this.#byKey.get(key));
  }

  setLastMessage(key: string, { sent, messageNumber }: MessageMark): void {
    this.#setLastMessage.run(sent ?? null, messageNumber ?? null, this.idOf(key));
  }

  close(): void {
    for (const statement of [this.#byKey, this.#byId, this.#insert, this.#setLastMessage])
      statement.finalize();
  }
}
