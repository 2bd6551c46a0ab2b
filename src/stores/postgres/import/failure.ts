import { StoreError } from "../../../catalog/store-errors.ts";
import { codeOf, toStoreError } from "../errors.ts";

/** The first error of an import. Later ones are its consequences. */
export class ImportFailure {
  /** Rejects with the error. */
  readonly promise: Promise<never>;
  readonly #address: string;
  readonly #reject: (error: unknown) => void;
  #error: unknown;

  constructor(address: string) {
    this.#address = address;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.promise = promise;
    this.#reject = reject;
  }

  get error(): unknown {
    return this.#error;
  }

  /** Returns the first error, in words for an operator. */
  add(error: unknown): unknown {
    if (this.#error === undefined) {
      this.#error = explainLimit(error, this.#address) ?? toStoreError(error, this.#address);
      this.#reject(this.#error);
    }
    return this.#error;
  }
}

/** Explains an error that a timeout of the role, the database or the server has caused. Imports respect all of them. */
function explainLimit(error: unknown, address: string): StoreError | undefined {
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
