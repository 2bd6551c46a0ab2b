import { toStoreError } from "../errors.ts";
import { explainLimit } from "./role-limits.ts";

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
