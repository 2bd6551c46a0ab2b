/** Returns the message of an error, or its code or name when it has none. Also takes values that are not errors. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error ?? "an unknown error");
  const { code } = error as { code?: unknown };
  return error.message || (typeof code === "string" ? code : error.name) || "an error without a message";
}
