import { DamagedRecord, SnapshotExpired, StoreError } from "../../catalog/store-errors.ts";

const MAX_CAUSES = 4;
const MAX_STACK_FRAMES = 6;

/** Codes of SQLite, of Bun's PostgreSQL client and of the system: the failure is outside of this program. */
const OUTSIDE_CODE = /^(?:SQLITE_\w+|ERR_POSTGRES_\w+|E[A-Z0-9]+)$/;

/**
 * Describes an error and its causes. An unexpected one, which may be a defect, has its stack. The result still contains
 * line feeds and may contain secrets.
 */
export function describeError(error: unknown): string {
  const parts = [describeOne(error)];
  let cause = causeOf(error);
  while (cause !== undefined && parts.length < MAX_CAUSES) {
    parts.push(describeOne(cause));
    cause = causeOf(cause);
  }
  return parts.join("; caused by ");
}

function describeOne(error: unknown): string {
  try {
    if (!(error instanceof Error)) {
      return typeof error === "string" ? error : Bun.inspect(error, { depth: 1 });
    }
    const { code } = error as { code?: unknown };
    const name = `${error.name}${typeof code === "string" ? ` ${code}` : ""}`;
    const description = error.message ? `${name}: ${error.message}` : name;
    if (isExplained(error)) return description;
    const frames = (error.stack ?? "").match(/^\s+at .+$/gm)?.slice(0, MAX_STACK_FRAMES) ?? [];
    return frames.length > 0
      ? `${description} (${frames.map((frame) => frame.trim()).join(", ")})`
      : description;
  } catch {
    return "an error that cannot be shown";
  }
}

/** The message or the code of these errors names the cause, so a stack would add nothing. */
function isExplained(error: Error): boolean {
  if (error instanceof StoreError || error instanceof SnapshotExpired || error instanceof DamagedRecord)
    return true;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && OUTSIDE_CODE.test(code);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
