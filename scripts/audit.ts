/** `npm run audit`: 0 when the registry knows of no fault, 1 when it does, 2 when it cannot be asked. */
import { join } from "node:path";

const { stdout } = Bun.spawnSync(["npm", "audit", "--json", "--package-lock-only"], {
  cwd: join(import.meta.dir, ".."),
  stderr: "ignore",
});

interface Report {
  readonly message?: string;
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } };
}

const total = read(stdout.toString())?.metadata?.vulnerabilities.total;
if (total === undefined) {
  console.error("The registry offers no audit, or cannot be reached: nothing was checked.");
  process.exitCode = 2;
} else if (total > 0) {
  console.error(`${total} known faults; "npm audit" names them.`);
  process.exitCode = 1;
} else console.log("No known fault in any package of the lock file.");

function read(json: string): Report | undefined {
  try {
    return JSON.parse(json) as Report;
  } catch {
    return undefined;
  }
}
