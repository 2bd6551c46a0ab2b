/** A worker that hangs before it listens. It takes a minute to notice, so the test runs only in `npm run test:faults`. */
import { expect, test } from "bun:test";
import { waitForHungStart } from "../hung-workers.ts";
import { temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";

const tried = repetitions(0, 1);
const folder = temporaryFolder();

// Without repetitions there is no test, rather than one that is skipped.
for (let round = 0; round < tried; round++) {
  test("serve ends, and says why, when a worker hangs while it starts", async () => {
    const { exitCode, stderr } = await waitForHungStart(folder);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/could not start \(signal SIGKILL: it had not responded for \d+ s\)/);
    reportFault({
      fault: "SIGSTOP of a worker that `serve --workers` is starting",
      tried,
      lost: "nothing",
      checked: "the service ends with exit 1 after a minute, and its message has the reason",
    });
  });
}
