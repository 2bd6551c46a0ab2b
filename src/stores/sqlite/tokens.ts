import type { Database, Statement } from "bun:sqlite";
import { existsSync } from "node:fs";
import { StoreError } from "../../catalog/store-error.ts";
import type { IssuedToken, TokenRegistry } from "../../catalog/token-registry.ts";
import { openFile } from "./connection.ts";
import { TOKENS } from "./schema.ts";

/** The ledger's file. It is made with the first token: as long as it is not there, none was issued. */
export class SqliteTokenRegistry implements TokenRegistry {
  readonly #path: string;
  readonly #readonly: boolean;
  #book: TokenFile | undefined;

  constructor(path: string, readonly: boolean) {
    this.#path = path;
    this.#readonly = readonly;
  }

  add(token: IssuedToken): void {
    this.#writing().add(token);
  }

  list(): readonly IssuedToken[] {
    return this.#reading()?.list() ?? [];
  }

  revoke(id: string, at: string): boolean {
    return this.#reading() !== undefined && this.#writing().revoke(id, at);
  }

  isRevoked(id: string): boolean {
    return this.#reading()?.isRevoked(id) ?? false;
  }

  close(): void {
    this.#book?.close();
    this.#book = undefined;
  }

  #reading(): TokenFile | undefined {
    if (!this.#book && existsSync(this.#path)) this.#book = new TokenFile(this.#path, this.#readonly);
    return this.#book;
  }

  #writing(): TokenFile {
    if (this.#readonly) {
      throw new StoreError(
        `${this.#path} is open for reading only; open the store for writing to change tokens.`,
      );
    }
    this.#book ??= new TokenFile(this.#path, false);
    return this.#book;
  }
}

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly issued: string;
  readonly expires: string;
  readonly revoked: string | null;
}

/** The open file. */
class TokenFile {
  readonly #db: Database;
  readonly #version: Statement<{ data_version: number }, []>;
  /** Ids that are struck out, as of `#seen`. */
  #revoked = new Set<string>();
  /** `PRAGMA data_version` changes with what other connections commit, and costs less than a query. */
  #seen: number | undefined;

  constructor(path: string, readonly: boolean) {
    // For its owner alone: it has the names of those who read the catalog.
    this.#db = openFile(path, TOKENS, { create: true, readonly, mode: 0o600 }, 256);
    this.#version = this.#db.prepare("PRAGMA data_version");
  }

  add({ id, name, issued, expires, revoked }: IssuedToken): void {
    this.#db.run("INSERT INTO token VALUES (?, ?, ?, ?, ?)", [id, name, issued, expires, revoked ?? null]);
    this.#seen = undefined;
  }

  list(): readonly IssuedToken[] {
    using rows = this.#db.prepare<TokenRow, []>("SELECT * FROM token ORDER BY issued DESC, rowid DESC");
    return rows.all().map((row) => ({ ...row, revoked: row.revoked ?? undefined }));
  }

  revoke(id: string, at: string): boolean {
    this.#seen = undefined;
    const sql = "UPDATE token SET revoked = coalesce(revoked, ?) WHERE id = ?";
    return this.#db.run(sql, [at, id]).changes > 0;
  }

  isRevoked(id: string): boolean {
    const version = this.#version.get()!.data_version;
    if (version !== this.#seen) {
      using rows = this.#db.prepare<{ id: string }, []>("SELECT id FROM token WHERE revoked IS NOT NULL");
      this.#revoked = new Set(rows.all().map((row) => row.id));
      this.#seen = version;
    }
    return this.#revoked.has(id);
  }

  close(): void {
    this.#version.finalize();
    this.#db.close(true);
  }
}
