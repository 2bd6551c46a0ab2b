/** The entry point. */
import { runCommand } from "./terminal/run-command.ts";
import { endWithNpm, ignoreUserSignals } from "./terminal/signals.ts";

ignoreUserSignals();
endWithNpm();
process.exitCode = await runCommand(process.argv.slice(2));
