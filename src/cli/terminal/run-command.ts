/** Runs the command that the first argument names, and prints its errors. */
import packageJson from "../../../package.json" with { type: "json" };
import { TokenError } from "../../api/auth/issue-token.ts";
import { KeyError } from "../../api/auth/keys/key-source.ts";
import { DamagedRecord, OutcomeUnknown, StoreError } from "../../catalog/store-errors.ts";
import { ImportError } from "../../feed/feed-error.ts";
import { FolderProblem } from "../../ingest/watch/folder/folder-problem.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { escapeControls } from "../../telemetry/printable.ts";
import { dbOption } from "../config/store-location.ts";
import { WORKER_COMMAND } from "../serve/child-protocol.ts";
import { CommandError, EXIT, nearest, programName, UsageError } from "./arguments.ts";
import { commands, loadCommand } from "./commands.ts";
import { helpFor, usageFor } from "./usage.ts";

/** Returns the exit code. */
export async function runCommand([name, ...args]: string[]): Promise<number> {
  if ([name, ...args].includes("--version") || name === "version" || name === "-v") {
    console.log(`${packageJson.version} (Bun ${Bun.version})`);
    return EXIT.ok;
  }
  if (name === "help" || (name !== undefined && isHelpOption(name)) || args.some(isHelpOption)) {
    console.log(pasteable(await helpFor(name === "help" ? args[0] : name)));
    return EXIT.ok;
  }
  try {
    // `serve --workers` starts this program once more for each worker.
    if (name === WORKER_COMMAND) return await (await import("../serve/worker.ts")).workerCommand();
    const command = await loadCommand(name);
    if (!command) throw new UsageError(name === undefined ? "no command given" : unknownCommand(name));
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`colophon: ${pasteable(error.message, args)}\n\n${pasteable(await usageFor(name))}`);
      return EXIT.usage;
    }
    // The reader of standard output has closed the pipe, as `head` does. That needs no message.
    if ((error as { code?: unknown } | undefined)?.code === "EPIPE") return EXIT.failed;
    const message = isOperatorError(error)
      ? pasteable(escapeControls(errorMessage(error)), args)
      : stackOf(error);
    console.error(`colophon: ${message}`);
    return error instanceof OutcomeUnknown ? EXIT.outcomeUnknown : EXIT.failed;
  }
}

function unknownCommand(name: string): string {
  const meant = nearest(name, [...Object.keys(commands), "--help", "--version"]);
  return `there is no command "${name}"${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
}

function stackOf(error: unknown): string {
  return (error instanceof Error && error.stack) || errorMessage(error);
}

function isHelpOption(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

/** Distinguishes errors that the operator can fix from defects of the program, which need a stack trace. */
function isOperatorError(error: unknown): error is Error {
  const kinds = [CommandError, StoreError, DamagedRecord, KeyError, TokenError, ImportError, FolderProblem];
  return kinds.some((kind) => error instanceof kind);
}

/** A command in quotes, also one that reads from a pipe. */
const QUOTED_COMMAND = new RegExp(
  `"([^"|]*\\| )?colophon ((?:${Object.keys(commands).join("|")}|--help)(?: [^"]*)?)"`,
  "g",
);

/** Returns a message whose quoted commands can be pasted. With arguments, they are for the same catalog. */
function pasteable(message: string, args: readonly string[] = []): string {
  const db = givenCatalog(args);
  return message.replace(
    QUOTED_COMMAND,
    (_, before = "", command) => `"${before}${programName()} ${command}${db}"`,
  );
}

function givenCatalog(args: readonly string[]): string {
  const given = args.findLast((arg, index) => arg.startsWith("--db=") || args[index - 1] === "--db");
  return given === undefined ? "" : dbOption(given.replace(/^--db=/, ""));
}
