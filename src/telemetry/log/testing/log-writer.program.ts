/**
 * A process that logs, for tests: `bun log-writer.program.ts NAME LINES CLOSE_TIMEOUT_MS`.
 * It prints the number of dropped lines on standard output.
 */
import { LogWriter, standardError } from "../log-writer.ts";

const [, , name, lines, closeTimeoutMs] = process.argv;
const target = standardError();
const writer = new LogWriter(target.sink, (count) => `dropped ${count}`, target);
for (let count = 0; count < Number(lines); count++) {
  writer.add(`${name} ${count} ${"x".repeat(count % 300)}.`);
  // A server returns to the event loop between requests, too.
  if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await writer.close(Number(closeTimeoutMs));
console.log(JSON.stringify({ droppedLines: writer.droppedLines }));
process.exit(0);
