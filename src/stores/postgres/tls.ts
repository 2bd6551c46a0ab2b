/** The TLS settings of a URL, with the names and values of PostgreSQL's own clients. Bun's client applies them. */
import { readFileSync } from "node:fs";
import { StoreError } from "../../catalog/store-errors.ts";
import { errorMessage } from "../../lib/error-message.ts";

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** Throws `StoreError` for a setting that Bun's client would reject late, or ignore. */
export function requireTlsSettings(url: URL): void {
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw new StoreError(`There is no sslmode "${mode}"; in the URL, use one of ${SSL_MODES.join(", ")}.`);
  }
  const file = url.searchParams.get("sslrootcert");
  if (file === null) return;
  if (mode === null || mode === "disable") {
    throw new StoreError(
      `sslrootcert has no effect without TLS; add sslmode=verify-full to the URL, or remove sslrootcert.`,
    );
  }
  try {
    readFileSync(file);
  } catch (error) {
    throw new StoreError(
      `The file of sslrootcert cannot be read (${errorMessage(error)}); correct its path in the URL.`,
    );
  }
}
