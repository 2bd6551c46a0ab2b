import { type ParseArgsConfig, parseArgs } from "node:util";

/** The exit codes, and the errors that lead to them. The codes are part of the contract (docs/contract.md §11). */
export const EXIT = { ok: 0, failed: 1, usage: 2, someRejected: 3, outcomeUnknown: 4 } as const;

/** Wrong usage. `main` prints the message and the usage of the command, and exits with 2. */
export class UsageError extends Error {}

/** An error that the operator can fix. `main` prints the message without a stack trace, and exits with 1. */
export class CommandError extends Error {}

type OptionTypes = NonNullable<ParseArgsConfig["options"]>;

/** Parses the arguments of a command. Throws a UsageError for unknown options and surplus operands. */
export function parseArguments<const T extends OptionTypes>(
  args: readonly string[],
  optionTypes: T,
  maxOperands: number,
) {
  const parsed = (() => {
    try {
      return parseArgs({ args: [...args], options: optionTypes, allowPositionals: true, strict: true });
    } catch (error) {
      throw new UsageError(messageOf(error as Error, optionTypes));
    }
  })();
  const { values: options, positionals: operands } = parsed;
  if (operands.length > maxOperands) throw new UsageError(`unexpected argument "${operands[maxOperands]}"`);
  return { options, operands };
}

/** The first sentence of Node's message names the error. The rest explains how to pass a leading hyphen. */
function messageOf({ message }: Error, optionTypes: OptionTypes): string {
  const [sentence] = message.split(". ") as [string];
  const unknown = /^Unknown option '-*([^']*)'/.exec(sentence)?.[1];
  const meant = unknown === undefined ? undefined : nearest(unknown, Object.keys(optionTypes));
  return meant === undefined ? sentence : `${sentence}; did you mean --${meant}?`;
}

/**
 * Returns the values of options that the environment sets, for a unit or a container without a command line: the
 * option `admin-port` is COLOPHON_ADMIN_PORT. An empty variable counts as not set.
 */
export function environmentOptions<const T extends OptionTypes>(
  optionTypes: T,
): { [name in keyof T]?: T[name]["type"] extends "boolean" ? boolean : string } {
  const values: Record<string, string | boolean> = {};
  for (const [name, { type }] of Object.entries(optionTypes)) {
    const variable = variableOf(name);
    const text = process.env[variable];
    if (text) values[name] = type === "boolean" ? parseBoolean(text, variable) : text;
  }
  return values as ReturnType<typeof environmentOptions<T>>;
}

/** Returns the environment variable of an option. */
function variableOf(option: string): string {
  return `COLOPHON_${option.toUpperCase().replaceAll("-", "_")}`;
}

function parseBoolean(text: string, variable: string): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new UsageError(`${variable} must be true or false, not "${text}"`);
}

/** Parses the whole number of an option. Throws a UsageError when it is out of range. */
export function parseInteger(text: string, option: string, min: number, max: number): number {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new UsageError(`${option} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return number;
}

/** Names that differ more are not suggested. */
const MAX_DISTANCE = 2;

/** Returns the name with the fewest typing errors, or undefined when none is near. Two errors need five letters. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  let [best, bestDistance] = [undefined as string | undefined, MAX_DISTANCE + 1];
  for (const name of names) {
    const distance = distanceOf(text, name);
    if (distance < bestDistance && distance < Math.max(2, name.length - 2))
      [best, bestDistance] = [name, distance];
  }
  return best ?? names.find((name) => text.length >= 2 && name.startsWith(text));
}

/** The Damerau–Levenshtein distance of optimal string alignment: a swap of two letters counts as one error. */
function distanceOf(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
