/**
 * `npm run audit`: looks for known vulnerabilities in all packages of the lock file.
 * Exits with 0 when there are none, with 1 when there are, and with 2 when the registry does not report any data.
 */
import { join } from "node:path";

interface AuditReport {
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } };
}

const { stdout } = Bun.spawnSync(["npm", "audit", "--json", "--package-lock-only"], {
  cwd: join(import.meta.dir, ".."),
  stderr: "ignore",
});

const total = parseReport(stdout.toString())?.metadata?.vulnerabilities.total;
if (total === undefined) {
  console.error("Nothing was checked: the registry cannot be reached, or does not support audits.");
  process.exitCode = 2;
} else if (total > 0) {
  console.error(`${total} known vulnerabilities; run "npm audit" for the list.`);
  process.exitCode = 1;
} else console.log("No known vulnerabilities in the packages of the lock file.");

/** Returns undefined when npm has printed no JSON. */
function parseReport(json: string): AuditReport | undefined {
  try {
    return JSON.parse(json) as AuditReport;
  } catch {
    return undefined;
  }
}
