/**
 * A problem with a store that an operator must solve. The message is one sentence for that operator: the thing, the
 * cause and the fix.
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
}
