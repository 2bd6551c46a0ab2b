import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "../exit.ts";
import { nearest } from "./nearest.ts";

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
export function variableOf(option: string): string {
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
