import { isIntact } from "../../catalog/entry.ts";
import type { MessageMark } from "../../catalog/import-state.ts";
import { EMPTY_REVISION } from "../../catalog/revision.ts";
import type { Entry } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { isbnFromColumn, messageMarkFromRow, type SenderRow } from "../columns.ts";
import type { CatalogReader, RecordOutline } from "../preview/catalog-reader.ts";
import type { DatabaseAddress } from "./connection.ts";
import { isbnsByReference, type OutlineRow, type ReferenceRow } from "./import/current-records.ts";
import * as statements from "./import/statements.ts";
import { type EntryRow, entryFromRow, isbnArray } from "./rows.ts";
import type { QueryValue } from "./session/session.ts";
import { statement } from "./session/statement.ts";
import { BEFORE_FIRST_ISBN, pagesOfIsbns } from "./snapshots/pages.ts";
import { ReadTransaction } from "./snapshots/read-transaction.ts";
import { type BodyRow, VIEWS } from "./snapshots/selected-rows.ts";

const RECORDS = statement("SELECT records FROM colophon.catalog");
const ISBNS_PER_BATCH = 5000;
const ISBNS = `SELECT isbn FROM colophon.record WHERE isbn > $1::bigint ORDER BY isbn LIMIT ${ISBNS_PER_BATCH}`;
const ISBNS_OF_SENDER = `SELECT isbn FROM colophon.record WHERE isbn > $1::bigint AND sender = $2::integer
  ORDER BY isbn LIMIT ${ISBNS_PER_BATCH}`;

/**
 * Reads one state of the catalog in a read transaction, which lasts as long as the preview. The timeouts of the role hold:
 * a dead client must not keep the server from reclaiming old rows.
 */
export class PostgresCatalogReader implements CatalogReader {
  readonly revision: string;
  readonly records: number;
  readonly #transaction: ReadTransaction;
  /** Feeds have few senders. */
  readonly #senders = new Map<string, SenderRow | undefined>();

  private constructor(transaction: ReadTransaction, records: number) {
    this.#transaction = transaction;
    this.revision = transaction.version.revision;
    this.records = records;
  }

  static async open(address: DatabaseAddress): Promise<PostgresCatalogReader> {
    const transaction = await ReadTransaction.open(address);
    const [row] = await transaction.query<{ records: string }>(RECORDS);
    return new PostgresCatalogReader(transaction, Number(row!.records));
  }

  async outlines(isbns: readonly Isbn13[]): Promise<readonly (RecordOutline | undefined)[]> {
    const rows = await this.#query<OutlineRow>(statements.STATUS_OF_UNSEEN, [isbnArray(isbns)]);
    return rows.map(({ etag, sender, reference, origin }) => {
      if (reference === null) return undefined;
      return { etag: etag ?? EMPTY_REVISION, sender: sender ?? undefined, reference, origin: origin ?? "" };
    });
  }

  async entries(isbns: readonly Isbn13[]): Promise<readonly (Entry | undefined)[]> {
    const rows = await this.#query<EntryRow>(statements.ENTRIES, [isbnArray(isbns)]);
    const entries = new Map(rows.map((row) => [isbnFromColumn(row.isbn), entryFromRow(row)]));
    return isbns.map((isbn) => entries.get(isbn));
  }

  async byReferences(
    sender: string,
    references: readonly string[],
    limit: number,
  ): Promise<readonly (readonly Isbn13[])[]> {
    const id = (await this.#sender(sender))?.id;
    const rows =
      id === undefined || references.length === 0
        ? []
        : await this.#query<ReferenceRow>(statements.BY_REFERENCES, [id, references, limit]);
    return isbnsByReference(references, rows);
  }

  async lastMessage(sender: string): Promise<MessageMark | undefined> {
    return messageMarkFromRow(await this.#sender(sender));
  }

  async *isbns(sender?: string): AsyncGenerator<readonly Isbn13[], void> {
    const id = sender === undefined ? undefined : (await this.#sender(sender))?.id;
    if (sender !== undefined && id === undefined) return;
    for (let last = BEFORE_FIRST_ISBN; ; ) {
      const rows = await (id === undefined
        ? this.#query<{ isbn: string }>(ISBNS, [last])
        : this.#query<{ isbn: string }>(ISBNS_OF_SENDER, [last, id]));
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn }) => isbnFromColumn(isbn));
    }
  }

  async *bodies(isbns: readonly Isbn13[]): AsyncGenerator<readonly (Uint8Array | undefined)[], void> {
    for await (const page of pagesOfIsbns<BodyRow>(this.#query, isbns, VIEWS.record)) {
      yield page.map((row) => (isIntact(row) ? row.body : undefined));
    }
  }

  close(): void {
    this.#transaction.end();
  }

  async #sender(key: string): Promise<SenderRow | undefined> {
    if (!this.#senders.has(key)) {
      this.#senders.set(key, (await this.#query<SenderRow>(statements.SENDER, [key]))[0]);
    }
    return this.#senders.get(key);
  }

  readonly #query = <Row>(sql: string, values: readonly QueryValue[]) =>
    this.#transaction.query<Row>(statement(sql), values);
}
