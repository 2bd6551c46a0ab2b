import packageJson from "../../package.json" with { type: "json" };
import { KeyError, TokenError } from "../api/auth/errors.ts";
import { DamagedRecord } from "../catalog/damaged-record.ts";
import { StoreError } from "../catalog/store-error.ts";
import { ImportError } from "../ingest/feed-batches.ts";
import { inOneLine } from "../watch/printable.ts";
import { backup } from "./backup.ts";
import { check } from "./check.ts";
import { exportCatalog } from "./export.ts";
import { importFeeds } from "./import.ts";
import { migrate } from "./migrate.ts";
import { serve } from "./serve.ts";
import { stats } from "./stats.ts";
import { token } from "./token.ts";
import { CommandError, EXIT, HELP, UsageError, usageOf } from "./terminal/usage.ts";
import { verifyStore } from "./verify.ts";

const commands: Record<string, (args: readonly string[]) => Promise<number>> = {
  serve,
  import: importFeeds,
  check,
  export: exportCatalog,
  migrate,
  verify: verifyStore,
  backup,
  stats,
  token,
};

process.exitCode = await run(process.argv.slice(2));

async function run([name, ...args]: string[]): Promise<number> {
  if (name === "--version") {
    console.log(packageJson.version);
    return EXIT.applied;
  }
  if (name === "help" || (name !== undefined && isHelp(name)) || args.some(isHelp)) {
    console.log(HELP);
    return EXIT.applied;
  }
  try {
    const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command)
      throw new UsageError(name === undefined ? "which command?" : `there is no command "${name}"`);
    return await command(args);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`colophon: ${error.message}\n\n${usageOf(name)}`);
      return EXIT.usage;
    }
    // Whoever read our output has stopped: nothing is left to be said, and nobody to say it to.
    if ((error as { code?: unknown }).code === "EPIPE") return EXIT.refused;
    console.error(`colophon: ${isExpected(error) ? inOneLine(error.message) : (error as Error).stack}`);
    return EXIT.refused;
  }
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

function isExpected(error: unknown): error is Error {
  const kinds = [CommandError, StoreError, DamagedRecord, KeyError, TokenError, ImportError];
  return kinds.some((kind) => error instanceof kind);
}
