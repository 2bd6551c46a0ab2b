/** A store that cannot be used as it is. The message is one sentence for a person, and says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreRefused";
}
