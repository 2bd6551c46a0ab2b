import type { ReservedSQL } from "bun";
import type { MessageMark } from "../../../catalog/import-state.ts";
import type { Entry } from "../../../catalog/store.ts";
import type { UndoWriter } from "../../../catalog/undo/undo-writer.ts";
import { messageMarkFromRow, type SenderRow } from "../../columns.ts";
import type { RunQuery } from "./connection.ts";
import * as statements from "./statements.ts";

/** The `sender` table within an import. */
export class Senders {
  /** An import has few senders, and a record costs no query for its sender. */
  readonly #ids = new Map<string, number>();
  readonly #marks = new Map<string, MessageMark>();

  /** Returns the id of a sender. Is undefined when the catalog does not know it. */
  async find(key: string, runQuery: RunQuery): Promise<number | undefined> {
    const id = this.#ids.get(key) ?? (await runQuery<SenderRow>(statements.SENDER, [key]))[0]?.id;
    if (id !== undefined) this.#ids.set(key, id);
    return id;
  }

  /** Returns the column of an entry. `addMissing` must know the sender. */
  columnOf({ sender }: Entry): number {
    return this.#ids.get(sender)!;
  }

  /** Returns whether `addMissing` would query the server. */
  areKnown(entries: readonly Entry[]): boolean {
    return entries.every(({ sender }) => this.#ids.has(sender));
  }

  /** Adds the senders of the entries to the table as far as they are new. */
  async addMissing(entries: readonly Entry[], connection: ReservedSQL): Promise<void> {
    for (const { sender } of entries) await this.#idOf(sender, connection);
  }

  async lastMessage(key: string, runQuery: RunQuery): Promise<MessageMark | undefined> {
    const mark = this.#marks.get(key);
    if (mark === undefined)
      return messageMarkFromRow((await runQuery<SenderRow>(statements.SENDER, [key]))[0]);
    return messageMarkFromRow({ sent: mark.sent ?? null, message_number: mark.messageNumber ?? null });
  }

  /** Sets the mark. `writeMarks` writes it before the commit. */
  setLastMessage(key: string, mark: MessageMark): void {
    this.#marks.set(key, mark);
  }

  /** Writes the marks, and keeps those before. */
  async writeMarks(connection: ReservedSQL, undo: UndoWriter): Promise<void> {
    for (const [key, { sent, messageNumber }] of this.#marks) {
      const id = await this.#idOf(key, connection);
      undo.message(
        key,
        messageMarkFromRow((await connection.unsafe<SenderRow[]>(statements.SENDER, [key]))[0]),
      );
      await connection.unsafe(statements.SET_LAST_MESSAGE, [id, sent ?? null, messageNumber ?? null]);
    }
  }

  async #idOf(key: string, connection: ReservedSQL): Promise<number> {
    const runQuery: RunQuery = async (text, values) => await connection.unsafe(text, [...values]);
    const id =
      (await this.find(key, runQuery)) ?? (await runQuery<SenderRow>(statements.ADD_SENDER, [key]))[0]!.id;
    this.#ids.set(key, id);
    return id;
  }
}
