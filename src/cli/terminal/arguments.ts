import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options of a command and at most so many words; what it does not know is wrong usage. */
export function parse<const T extends Options>(args: readonly string[], options: T, mostWords: number) {
  const parsed = (() => {
    try {
      return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    } catch (error) {
      // Node's second sentence explains how to pass a word that begins with a hyphen; the first says what is wrong.
      throw new UsageError((error as Error).message.split(". ")[0]!);
    }
  })();
  const { positionals } = parsed;
  if (positionals.length > mostWords)
    throw new UsageError(`"${positionals[mostWords]}" is one word too many`);
  return { options: parsed.values, words: positionals };
}

/** A whole number within bounds. */
export function wholeNumber(text: string, name: string, min: number, max: number): number {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return number;
}
