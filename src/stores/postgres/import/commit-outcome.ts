/** Finds out what became of a commit whose response was lost. */
import type { SQL } from "bun";
import { OutcomeUnknown } from "../../../catalog/store-errors.ts";
import { withTimeout } from "../../../lib/awaitable.ts";
import { closeAtOnce, type DatabaseAddress } from "../connection.ts";
import type { ImportDeadlines, TransactionIdentity } from "./session.ts";
import * as statements from "./statements.ts";
import type { BackendRow } from "./watchdog.ts";

interface LostCommit {
  readonly address: DatabaseAddress;
  readonly transaction: TransactionIdentity;
  /** The transaction has stored the import run with this id. */
  readonly runId: string;
}

const ATTEMPT_PAUSE_MS = 500;
/** So many attempts find the transaction idle before it is ended. Its COMMIT may still be on its way. */
const MAX_IDLE_ATTEMPTS = 3;

/**
 * Returns whether the commit took effect. Throws `OutcomeUnknown` when that cannot be found out in time. The id of the run
 * is the evidence. An id of the transaction would not be: after a failover, another transaction may have it.
 */
export async function isCommitted(
  lost: LostCommit,
  { outcomeMs, roundMs }: Pick<ImportDeadlines, "outcomeMs" | "roundMs">,
): Promise<boolean> {
  const deadline = performance.now() + outcomeMs;
  const search = new OutcomeSearch(lost);
  for (let remainingMs = outcomeMs; remainingMs > 0; remainingMs = deadline - performance.now()) {
    const outcome = await search.attempt(Math.min(roundMs, remainingMs));
    if (outcome !== undefined) return outcome;
    await Bun.sleep(Math.min(ATTEMPT_PAUSE_MS, Math.max(0, deadline - performance.now())));
  }
  throw new OutcomeUnknown(
    `The connection to PostgreSQL at ${lost.address} was lost during the commit, and ${search.obstacle}.`,
  );
}

class OutcomeSearch {
  /** The reason why the outcome is not known yet. */
  obstacle = "it could not be reached again";
  readonly #lost: LostCommit;
  #idleAttempts = 0;

  constructor(lost: LostCommit) {
    this.#lost = lost;
  }

  /** Returns undefined when the outcome is not known yet. The connection is a new one. */
  async attempt(timeoutMs: number): Promise<boolean | undefined> {
    const sql = this.#lost.address.connect();
    try {
      return await withTimeout(this.#query(sql), timeoutMs, () => new Error("timeout"));
    } catch {
      this.obstacle = "it could not be reached again";
      return undefined;
    } finally {
      closeAtOnce(sql);
    }
  }

  async #query(sql: SQL): Promise<boolean | undefined> {
    // The order matters: a transaction that has ended before the second query is visible to it.
    const isRunning = await this.#isRunning(sql);
    const [run] = await sql.unsafe<[{ stored: boolean }]>(statements.RUN_EXISTS, [this.#lost.runId]);
    if (run.stored) return true;
    if (isRunning) {
      this.obstacle = "the server had not completed it";
      return undefined;
    }
    const [server] = await sql.unsafe<[{ standby: boolean }]>(statements.IS_STANDBY);
    if (!server.standby) return false;
    this.obstacle = "the server there is a standby now";
    return undefined;
  }

  /** Returns whether the transaction still exists. Ends it when it has waited for its COMMIT for a while. */
  async #isRunning(sql: SQL): Promise<boolean> {
    const { pid, started } = this.#lost.transaction;
    const [backend] = await sql.unsafe<BackendRow[]>(statements.BACKENDS, [`{${pid}}`]);
    if (!backend || (backend.state !== null && backend.started !== started)) return false;
    if (backend.state?.startsWith("idle in transaction")) this.#idleAttempts++;
    if (this.#idleAttempts >= MAX_IDLE_ATTEMPTS) {
      await sql.unsafe(statements.END_BACKEND, [pid]).catch(() => {});
    }
    return true;
  }
}
