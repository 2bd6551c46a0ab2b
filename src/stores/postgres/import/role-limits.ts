import { StoreError } from "../../../catalog/store-errors.ts";
import { codeOf } from "../errors.ts";

/** Explains an error that a timeout of the role, the database or the server has caused. Imports respect all of them. */
export function explainLimit(error: unknown, address: string): StoreError | undefined {
  const limit = limitOf(codeOf(error), error instanceof Error ? error.message : "");
  if (limit === undefined) return undefined;
  return new StoreError(
    `PostgreSQL at ${address} has ended the import because of ${limit}; raise it for the role: ALTER ROLE … SET ${limit} = '10min'.`,
  );
}

function limitOf(code: string, message: string): string | undefined {
  // 57014: query canceled, also by an administrator. 55P03: lock not available.
  if (code === "57014" && message.includes("statement timeout")) return "statement_timeout";
  if (code === "55P03") return "lock_timeout";
  if (code === "25P03") return "idle_in_transaction_session_timeout";
  if (code === "25P04") return "transaction_timeout";
  return undefined;
}
