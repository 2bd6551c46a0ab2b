import type { Database, Statement } from "bun:sqlite";
import { existsSync } from "node:fs";
import { StoreError } from "../../catalog/store-error.ts";
import type { IssuedToken, TokenRegistry } from "../../catalog/token-registry.ts";
import { TOKEN_COLUMNS, type TokenRow, tokenFromRow } from "../columns.ts";
import { openFile } from "./connection.ts";
import { TOKENS } from "./schema.ts";

const CACHE_KIB = 256;

/** The token registry in a file of its own, which the first token creates. */
export class SqliteTokenRegistry implements TokenRegistry {
  readonly #path: string;
  readonly #readonly: boolean;
  #file: TokenFile | undefined;

  constructor(path: string, readonly: boolean) {
    this.#path = path;
    this.#readonly = readonly;
  }

  add(token: IssuedToken): void {
    this.#openForWriting().add(token);
  }

  list(): readonly IssuedToken[] {
    return this.#openIfExists()?.list() ?? [];
  }

  revoke(id: string, at: string): boolean {
    return this.#openIfExists() !== undefined && this.#openForWriting().revoke(id, at);
  }

  isRevoked(id: string): boolean {
    return this.#openIfExists()?.isRevoked(id) ?? false;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #openIfExists(): TokenFile | undefined {
    if (!this.#file && existsSync(this.#path)) this.#file = new TokenFile(this.#path, this.#readonly);
    return this.#file;
  }

  #openForWriting(): TokenFile {
    if (this.#readonly) {
      throw new StoreError(
        `${this.#path} is open for reading only; open the store for writing to change tokens.`,
      );
    }
    this.#file ??= new TokenFile(this.#path, false);
    return this.#file;
  }
}

class TokenFile {
  readonly #db: Database;
  /** `PRAGMA data_version` changes with the commits of other connections, and costs less than a query. */
  readonly #dataVersion: Statement<{ data_version: number }, []>;
  /** The ids of the revoked tokens, as of `#cachedVersion`. */
  #revokedIds = new Set<string>();
  #cachedVersion: number | undefined;

  constructor(path: string, readonly: boolean) {
    // Only the owner may read it, because it has the names of the catalog's clients.
    this.#db = openFile(path, TOKENS, { create: true, readonly, mode: 0o600 }, CACHE_KIB);
    this.#dataVersion = this.#db.prepare("PRAGMA data_version");
  }

  add({ id, name, issued, expires, revoked }: IssuedToken): void {
    this.#db.run("INSERT INTO token VALUES (?, ?, ?, ?, ?)", [id, name, issued, expires, revoked ?? null]);
    this.#cachedVersion = undefined;
  }

  list(): readonly IssuedToken[] {
    const sql = `SELECT ${TOKEN_COLUMNS} FROM token ORDER BY issued DESC, rowid DESC`;
    using rows = this.#db.prepare<TokenRow, []>(sql);
    return rows.all().map(tokenFromRow);
  }

  revoke(id: string, at: string): boolean {
    this.#cachedVersion = undefined;
    const sql = "UPDATE token SET revoked = coalesce(revoked, ?) WHERE id = ?";
    return this.#db.run(sql, [at, id]).changes > 0;
  }

  isRevoked(id: string): boolean {
    const version = this.#dataVersion.get()!.data_version;
    if (version !== this.#cachedVersion) {
      using rows = this.#db.prepare<{ id: string }, []>("SELECT id FROM token WHERE revoked IS NOT NULL");
      this.#revokedIds = new Set(rows.all().map((row) => row.id));
      this.#cachedVersion = version;
    }
    return this.#revokedIds.has(id);
  }

  close(): void {
    this.#dataVersion.finalize();
    this.#db.close(true);
  }
}
