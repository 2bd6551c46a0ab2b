/** For tests: a process that logs. `bun outlet.program.ts NAME LINES`; it says on standard output how it went. */
import { Outlet, standardError } from "../log-writer.ts";

const [, , name, lines] = process.argv;
const outlet = new Outlet(standardError(), (count) => `dropped ${count}`);
for (let count = 0; count < Number(lines); count++) {
  outlet.add(`${name} ${count} ${"x".repeat(count % 300)}.`);
  // What a server does between requests.
  if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await outlet.close(name === "impatient" ? 50 : 60_000);
console.log(JSON.stringify({ dropped: outlet.dropped }));
process.exit(0);
