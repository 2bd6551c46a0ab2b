/** Parameters whose values are codes of an ONIX list. */
import { codeLists } from "../../onix/code-lists.ts";
import { ApiError } from "../errors.ts";
import { excerpt } from "../parameters.ts";

export interface CodeParameter {
  readonly name: string;
  /** What a value is called in an error. */
  readonly noun: string;
  /** EDItEUR's number of the list. */
  readonly list: number;
  /** The codes as the list writes them, by their lower case. */
  readonly codes: ReadonlyMap<string, string>;
}

export const CODE_PARAMETERS = {
  language: codeParameter("language", "a language", 74),
  form: codeParameter("form", "a form of product", 150),
  availability: codeParameter("availability", "an availability", 65),
  status: codeParameter("status", "a publishing status", 64),
} as const;

function codeParameter(name: string, noun: string, list: number): CodeParameter {
  const found = Object.values(codeLists).find((one) => one.list === list);
  if (found === undefined) throw new Error(`The table of codes has no list ${list}`);
  return { name, noun, list, codes: new Map(found.codes.map(([code]) => [code.toLowerCase(), code])) };
}

/** Accepts upper and lower case. Returns the code as the list writes it, or an error with the allowed codes. */
export function parseCode({ noun, list, codes }: CodeParameter, text: string): string | ApiError {
  // ASCII first: toLowerCase turns the Kelvin sign into a k.
  const code = /^[A-Za-z0-9]{2,3}$/.test(text) ? codes.get(text.toLowerCase()) : undefined;
  if (code !== undefined) return code;
  const detail = `"${excerpt(text)}" is not ${noun}; give a code of ONIX list ${list}, one of those in "allowed".`;
  return new ApiError("badRequest", detail, { allowed: [...codes.values()] });
}
