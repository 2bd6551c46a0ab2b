import type { ForeignToken, IssuedToken, TokenRegistry } from "../../catalog/token-registry.ts";
import { foreignTokenToColumns, TOKEN_COLUMNS, type TokenRow, tokenFromRow } from "../columns.ts";
import { WRITE_TIMEOUT_MS } from "./connection.ts";
import { LookupBatcher } from "./lookup-batcher.ts";
import type { Pool } from "./session/pool.ts";
import { statement } from "./session/statement.ts";

/** The queries for revocations that can be in flight at a time. */
const MAX_QUERIES_IN_FLIGHT = 2;

const ADD = statement(
  `INSERT INTO colophon.token (${TOKEN_COLUMNS}) VALUES ($1, $2, $3, $4, $5) RETURNING id AS added`,
);
const LIST = statement(`SELECT ${TOKEN_COLUMNS} FROM colophon.token ORDER BY issued DESC, place DESC`);
const REVOKE = statement(`INSERT INTO colophon.token AS token (${TOKEN_COLUMNS})
  SELECT $1, $2, $3, $4, $5 FROM (SELECT set_config('synchronous_commit', 'remote_apply', true)) AS setting
  ON CONFLICT (id) DO UPDATE SET revoked = coalesce(token.revoked, excluded.revoked) RETURNING name`);
const REVOKED = statement("SELECT id FROM colophon.token WHERE id = $1 AND revoked IS NOT NULL");
const REVOKED_OF_SEVERAL = statement(
  "SELECT id FROM colophon.token WHERE id = ANY ($1::text[]) AND revoked IS NOT NULL",
);

export class PostgresTokenRegistry implements TokenRegistry {
  readonly #pool: Pool;
  readonly #revoked: LookupBatcher<true>;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#revoked = new LookupBatcher(MAX_QUERIES_IN_FLIGHT, (ids) => this.#queryRevoked(ids));
  }

  async add({ id, name, issued, expires, revoked }: IssuedToken): Promise<void> {
    await this.#pool.execute(ADD, [id, name, issued, expires, revoked ?? null], WRITE_TIMEOUT_MS);
  }

  async list(): Promise<readonly (IssuedToken | ForeignToken)[]> {
    return (await this.#pool.query<TokenRow>(LIST)).map(tokenFromRow);
  }

  /** Returns when the synchronous standbys have applied the revocation, not only received it. */
  async revoke(id: string, at: string): Promise<boolean> {
    const values = foreignTokenToColumns(id, at);
    const { rows } = await this.#pool.execute<{ name: string }>(REVOKE, values, WRITE_TIMEOUT_MS);
    return rows[0]!.name !== "";
  }

  /** Queries the server on every call, so that a revocation takes effect at once. Concurrent calls share a query. */
  async isRevoked(id: string): Promise<boolean> {
    // PostgreSQL cannot store a NUL in text, so no such token was issued.
    if (id.includes("\0")) return false;
    return (await this.#revoked.get(id)) === true;
  }

  async #queryRevoked(ids: readonly string[]): Promise<ReadonlyMap<string, true>> {
    const rows =
      ids.length === 1
        ? await this.#pool.query<{ id: string }>(REVOKED, [ids[0]!])
        : await this.#pool.query<{ id: string }>(REVOKED_OF_SEVERAL, [ids]);
    return new Map(rows.map((row) => [row.id, true]));
  }
}
