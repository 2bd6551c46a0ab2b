/** The entry point. */
import { restartForImports } from "./terminal/engine-options.ts";

restartForImports(process.argv[2]);
// Loaded only now: a process that is replaced does not need them.
const { runCommand } = await import("./terminal/run-command.ts");
const { endWithNpm, ignoreUserSignals } = await import("./terminal/signals.ts");

ignoreUserSignals();
endWithNpm();
process.exitCode = await runCommand(process.argv.slice(2));
