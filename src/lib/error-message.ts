/** Returns the message of an error, or its name when it has none. Also takes values that are not errors. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (
    error.message || String((error as { code?: unknown }).code ?? error.name ?? "an error without a message")
  );
}
