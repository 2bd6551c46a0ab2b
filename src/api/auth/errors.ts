/** The configured keys cannot be used, so the service must not start. The message is one line and quotes no secret. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** `colophon token` cannot issue the requested token. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

/** Returns the code of a failed system or network call. Its message could quote a URL with a password. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}
