/** The keys that the configuration names cannot be used: the service must not start. One sentence, no secret in it. */
export class KeyError extends Error {
  override readonly name = "KeysRefused";
}

/** `colophon token` was asked for a token that it does not issue. */
export class TokenError extends Error {
  override readonly name = "TokenRefused";
}

/** The code of a failed system or network call. Its message may quote an address with a password in it. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}
