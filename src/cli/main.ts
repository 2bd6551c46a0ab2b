/** The entry point: runs the command that the first argument names. */
import packageJson from "../../package.json" with { type: "json" };
import { KeyError, TokenError } from "../api/auth/errors.ts";
import { DamagedRecord } from "../catalog/damaged-record.ts";
import { StoreError } from "../catalog/store-error.ts";
import { ImportError } from "../ingest/feed-batches.ts";
import { escapeControls } from "../watch/printable.ts";
import { backupCommand } from "./backup.ts";
import { checkCommand } from "./check.ts";
import { CommandError, EXIT, UsageError } from "./exit.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { migrateCommand } from "./migrate.ts";
import { serveCommand } from "./serve.ts";
import { statsCommand } from "./stats.ts";
import { HELP, usageFor } from "./terminal/usage.ts";
import { tokenCommand } from "./token.ts";
import { verifyCommand } from "./verify.ts";

const commands: Record<string, (args: readonly string[]) => Promise<number>> = {
  serve: serveCommand,
  import: importCommand,
  check: checkCommand,
  export: exportCommand,
  migrate: migrateCommand,
  verify: verifyCommand,
  backup: backupCommand,
  stats: statsCommand,
  token: tokenCommand,
};

process.exitCode = await main(process.argv.slice(2));

/** Returns the exit code. */
async function main([name, ...args]: string[]): Promise<number> {
  if (name === "--version") {
    console.log(packageJson.version);
    return EXIT.ok;
  }
  if (name === "help" || (name !== undefined && isHelpOption(name)) || args.some(isHelpOption)) {
    console.log(HELP);
    return EXIT.ok;
  }
  try {
    const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) {
      throw new UsageError(name === undefined ? "no command given" : `there is no command "${name}"`);
    }
    return await command(args);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`colophon: ${error.message}\n\n${usageFor(name)}`);
      return EXIT.usage;
    }
    // The reader of standard output has closed the pipe, as `head` does. That needs no message.
    if ((error as { code?: unknown }).code === "EPIPE") return EXIT.failed;
    console.error(
      `colophon: ${isOperatorError(error) ? escapeControls(error.message) : (error as Error).stack}`,
    );
    return EXIT.failed;
  }
}

function isHelpOption(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

/** Distinguishes errors that the operator can fix from defects of the program, which need a stack trace. */
function isOperatorError(error: unknown): error is Error {
  const kinds = [CommandError, StoreError, DamagedRecord, KeyError, TokenError, ImportError];
  return kinds.some((kind) => error instanceof kind);
}
