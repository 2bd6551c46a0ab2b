import type { Database, Statement } from "bun:sqlite";
import { existsSync } from "node:fs";
import { StoreError } from "../../catalog/store-errors.ts";
import type { ForeignToken, IssuedToken, TokenRegistry } from "../../catalog/token-registry.ts";
import { foreignTokenToColumns, TOKEN_COLUMNS, type TokenRow, tokenFromRow } from "../columns.ts";
import { type DatabaseFile, isInPlace, moveLogIntoFile, openDatabase } from "./connection.ts";
import { toStoreError } from "./errors.ts";
import { TOKENS } from "./schema.ts";

const CACHE_KIB = 256;

interface RegistryOptions {
  readonly readonly: boolean;
  /** Called when the registry has been opened for the first time. */
  readonly onOpen?: () => void;
}

/** The token registry in a file of its own, which the first token creates. */
export class SqliteTokenRegistry implements TokenRegistry {
  readonly #path: string;
  readonly #options: RegistryOptions;
  /** Without the registry, revoked tokens would be valid again. So a catalog that had one needs it. */
  #isRequired = false;
  #file: TokenFile | undefined;

  constructor(path: string, options: RegistryOptions) {
    this.#path = path;
    this.#options = options;
  }

  add(token: IssuedToken): void {
    const file = this.#openForWriting();
    this.#explain(() => file.add(token));
  }

  list(): readonly (IssuedToken | ForeignToken)[] {
    return this.#openIfExists()?.list() ?? [];
  }

  revoke(id: string, at: string): boolean {
    const file = this.#openForWriting();
    return this.#explain(() => file.revoke(id, at));
  }

  isRevoked(id: string): boolean {
    return this.#openIfExists()?.isRevoked(id) ?? false;
  }

  /** A full disk is the operator's to solve. */
  #explain<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw toStoreError(error, this.#path, TOKENS, "write");
    }
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Makes all members throw `StoreError` while there is no registry. */
  require(): void {
    this.#isRequired = true;
  }

  /** Throws `StoreError` when the registry is required and missing, or cannot be opened. */
  check(): void {
    this.#openIfExists();
  }

  /** Creates an empty registry. Does nothing when there is one. */
  create(): void {
    this.#isRequired = false;
    this.#openForWriting();
  }

  /** Closes a file that is no longer under its path. The next call of a member opens the file that is there. */
  closeReplacedFile(): void {
    if (this.#file?.closeIfReplaced()) this.#file = undefined;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #openIfExists(): TokenFile | undefined {
    if (this.#file) return this.#file;
    if (existsSync(this.#path)) return this.#open();
    if (this.#isRequired) throw lostRegistry(this.#path);
    return undefined;
  }

  #openForWriting(): TokenFile {
    if (this.#options.readonly) {
      throw new StoreError(
        `${this.#path} is open for reading only; open the store for writing to change tokens.`,
      );
    }
    return this.#openIfExists() ?? this.#open();
  }

  #open(): TokenFile {
    this.#file = new TokenFile(this.#path, this.#options.readonly);
    if (!this.#isRequired) {
      this.#isRequired = true;
      this.#options.onOpen?.();
    }
    return this.#file;
  }
}

function lostRegistry(path: string): StoreError {
  return new StoreError(
    `The token registry ${path} is missing, and without it revoked tokens would be valid again; restore it from a backup, or create an empty one with --new-registry.`,
  );
}

class TokenFile {
  readonly #db: Database;
  readonly #file: DatabaseFile;
  /** `PRAGMA data_version` changes with the commits of other connections, and costs less than a query. */
  readonly #dataVersion: Statement<{ data_version: number }, []>;
  /** The ids of the revoked tokens, as of `#cachedVersion`. */
  #revokedIds = new Set<string>();
  #cachedVersion: number | undefined;

  constructor(path: string, readonly: boolean) {
    // Only the owner may read it, because it has the names of the catalog's clients.
    const options = { create: true, readonly, mode: 0o600 };
    const { db, file } = openDatabase(path, TOKENS, options, CACHE_KIB);
    this.#db = db;
    this.#file = file;
    this.#dataVersion = this.#db.prepare("PRAGMA data_version");
  }

  /** Returns whether the file was no longer under its path. It then has all changes that were in its log. */
  closeIfReplaced(): boolean {
    if (isInPlace(this.#file)) return false;
    moveLogIntoFile(this.#db);
    this.close();
    return true;
  }

  add({ id, name, issued, expires, revoked }: IssuedToken): void {
    this.#db.run("INSERT INTO token VALUES (?, ?, ?, ?, ?)", [id, name, issued, expires, revoked ?? null]);
    this.#cachedVersion = undefined;
  }

  list(): readonly (IssuedToken | ForeignToken)[] {
    const sql = `SELECT ${TOKEN_COLUMNS} FROM token ORDER BY issued DESC, rowid DESC`;
    using rows = this.#db.prepare<TokenRow, []>(sql);
    return rows.all().map(tokenFromRow);
  }

  revoke(id: string, at: string): boolean {
    this.#cachedVersion = undefined;
    using revocation = this.#db.prepare<{ name: string }, string[]>(
      `INSERT INTO token (${TOKEN_COLUMNS}) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET revoked = coalesce(revoked, excluded.revoked) RETURNING name`,
    );
    return revocation.get(...foreignTokenToColumns(id, at))!.name !== "";
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
