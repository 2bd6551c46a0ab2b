import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "../exit.ts";

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
      // The first sentence of Node's message names the error. The rest explains how to pass a leading hyphen.
      throw new UsageError((error as Error).message.split(". ")[0]!);
    }
  })();
  const { values: options, positionals: operands } = parsed;
  if (operands.length > maxOperands) throw new UsageError(`unexpected argument "${operands[maxOperands]}"`);
  return { options, operands };
}

/** Parses the whole number of an option. Throws a UsageError when it is out of range. */
export function parseInteger(text: string, option: string, min: number, max: number): number {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new UsageError(`${option} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return number;
}
