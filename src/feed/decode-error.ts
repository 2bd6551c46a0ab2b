/** The bytes that follow cannot be decoded. Their position is the end of what was decoded, which the caller knows. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}
