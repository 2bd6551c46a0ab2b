import { SnapshotExpired } from "../catalog/snapshot-expired.ts";
import { StoreError } from "../catalog/store-error.ts";

const MAX_CAUSES = 4;
const MAX_STACK_FRAMES = 6;

/** Describes an error with its stack and its causes. The result still contains line feeds and may contain secrets. */
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
    const description = `${error.name}${typeof code === "string" ? ` ${code}` : ""}: ${error.message}`;
    if (isExplained(error)) return description;
    const frames = (error.stack ?? "").match(/^\s+at .+$/gm)?.slice(0, MAX_STACK_FRAMES) ?? [];
    return frames.length > 0
      ? `${description} (${frames.map((frame) => frame.trim()).join(", ")})`
      : description;
  } catch {
    return "an error that cannot be shown";
  }
}

/** The message of these errors names the cause and the fix, so a stack would add nothing. */
function isExplained(error: Error): boolean {
  return error instanceof SnapshotExpired || error instanceof StoreError;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
