/** How a command is declared. Parsing, help, suggestions and variables of the environment follow from its options. */
import { parseArgs } from "node:util";
import { nearest, UsageError } from "./arguments.ts";

interface Declaration {
  /** Default: the name of the setting, in kebab case. */
  readonly name?: string;
  /** One line for the help. */
  readonly help?: string;
  /** True when a variable sets the option, too: `admin-port` is COLOPHON_ADMIN_PORT. An empty one is not set. */
  readonly variable?: boolean;
  /** Another variable, which counts less. */
  readonly otherVariable?: string;
  /** The option without which this one has no meaning. */
  readonly needs?: string;
  /** True when the variable alone needs nothing, because it may be meant for another command. */
  readonly sharesVariable?: boolean;
}

interface ValueDeclaration<T> extends Declaration {
  /** Stands for the value in the help. Not needed where there is a default. */
  readonly value?: string;
  /** Values of an option that is given several times are joined with commas. */
  readonly multiple?: boolean;
  readonly isRequired?: boolean;
  /** Returns the setting, or throws a UsageError. */
  readonly parse: Parser<T>;
}

type Parser<T> = (text: string, option: string) => T;
type Value = string | boolean | undefined;

/** An option with a setting of the type T. */
export interface Option<T> extends Declaration {
  readonly value?: string | undefined;
  readonly multiple?: boolean;
  readonly isRequired?: boolean;
  readonly type: "string" | "boolean";
  read(value: Value, option: string): T;
}

/** The options of a command, by the names of their settings. */
export type Options = Readonly<Record<string, Option<unknown>>>;
export type Settings<O extends Options> = {
  readonly [key in keyof O]: O[key] extends Option<infer T> ? T : never;
};

/** Declares an option with a value. Without a default, its setting can be undefined. */
export function option<T>(declaration: ValueDeclaration<T> & { readonly default: string }): Option<T>;
export function option<T>(declaration: ValueDeclaration<T>): Option<T | undefined>;
export function option<T>({
  parse,
  default: byDefault,
  ...declaration
}: ValueDeclaration<T> & { readonly default?: string }): Option<T | undefined> {
  return {
    value: byDefault,
    ...declaration,
    type: "string",
    read(value, name) {
      const text = value === undefined ? byDefault : String(value);
      return text === undefined ? undefined : parse(text, name);
    },
  };
}

/** Declares an option without a value. */
export function flag(declaration: Declaration = {}): Option<boolean> {
  return { ...declaration, type: "boolean", read: (value) => value === true };
}

/** Returns a parser of whole numbers. `unit` is the unit of the option in that of the setting: 1000 for s and ms. */
export function integer(min: number, max: number, unit = 1): Parser<number> {
  return (text, name) => {
    const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number * unit;
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return (text, name) => {
    const value = values.find((each) => each === text);
    if (value !== undefined) return value;
    const allowed = values.length === 2 ? values.join(" or ") : `one of ${values.join(", ")}`;
    throw new UsageError(`${name} must be ${allowed}, not "${text}"`);
  };
}

/** Returns a parser that takes any text but an empty one. The message says what the option needs. */
export function nonEmpty(needed: string): Parser<string> {
  return (text, name) => {
    if (text === "") throw new UsageError(`${name} needs ${needed}`);
    return text;
  };
}

export const anyText: Parser<string> = (text) => text;

/** One way to call a command. */
export interface Form<O extends Options = Options> {
  /** The word after the command, such as `list`. The first form of several has none. */
  readonly name?: string;
  /** The operands in the help, such as FEED…, which stands for any number of them. Without one, there are none. */
  readonly operands?: string;
  readonly options: O;
  readonly about: string;
  /** Returns the exit code. */
  run(settings: Settings<O>, operands: readonly string[]): Promise<number>;
}

export interface Command {
  readonly forms: readonly Form[];
  readonly examples: readonly string[];
  /** Returns the exit code. Throws a UsageError for arguments that do not fit the declaration. */
  readonly run: (args: readonly string[]) => Promise<number>;
}

export function defineCommand<O extends readonly Options[]>(
  examples: readonly string[],
  ...declared: { readonly [index in keyof O]: Form<O[index]> }
): Command {
  const forms = declared as readonly Form<never>[] as readonly Form[];
  return {
    forms,
    examples,
    async run(args) {
      const named = forms.find(({ name }) => name !== undefined && name === args[0]);
      const form = named ?? forms[0]!;
      const { settings, operands } = parseArguments(named ? args.slice(1) : args, form);
      return await form.run(settings, operands);
    },
  };
}

/** Adds the same properties to all options. */
export function forAll<O extends Options>(options: O, properties: Declaration): O {
  const entries = Object.entries(options).map(([key, each]) => [key, { ...each, ...properties }]);
  return Object.fromEntries(entries) as O;
}

/** Returns the options by the names that they have on the command line. */
export function optionsByName(options: Options): Record<string, Option<unknown>> {
  return Object.fromEntries(Object.entries(options).map(([key, each]) => [nameOf(key, each), each]));
}

function nameOf(key: string, { name }: Option<unknown>): string {
  return name ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parseArguments(args: readonly string[], form: Form) {
  const byName = optionsByName(form.options);
  const { given, operands } = parseGiven(args, byName);
  const { operands: named = "" } = form;
  const maxOperands = named.endsWith("…") ? Number.POSITIVE_INFINITY : named === "" ? 0 : 1;
  if (operands.length > maxOperands) throw new UsageError(`unexpected argument "${operands[maxOperands]}"`);
  const values = { ...environmentValues(byName), ...given };
  for (const [name, { needs, sharesVariable }] of Object.entries(byName)) {
    const isSet = (sharesVariable ? given : values)[name] !== undefined;
    if (isSet && needs !== undefined && values[needs] === undefined) {
      throw new UsageError(`--${name} needs --${needs}`);
    }
  }
  const settings = Object.entries(form.options).map(([key, each]) => {
    const name = nameOf(key, each);
    return [key, each.read(values[name], `--${name}`)];
  });
  return { settings: Object.fromEntries(settings), operands };
}

type Values = Record<string, Value>;

function parseGiven(args: readonly string[], options: Record<string, Option<unknown>>) {
  const types = Object.entries(options).map(([name, { type, multiple = false }]) => [
    name,
    { type, multiple },
  ]);
  try {
    const parsed = parseArgs({
      args: [...args],
      options: Object.fromEntries(types),
      allowPositionals: true,
      strict: true,
    });
    const joined = Object.entries(parsed.values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(",") : value,
    ]);
    return { given: Object.fromEntries(joined) as Values, operands: parsed.positionals };
  } catch (error) {
    throw new UsageError(messageOf(error as Error, Object.keys(options)));
  }
}

/** The first sentence of Node's message names the error. The rest explains how to pass a leading hyphen. */
function messageOf({ message }: Error, names: readonly string[]): string {
  const [sentence] = message.split(". ") as [string];
  const unknown = /^Unknown option '-*([^']*)'/.exec(sentence)?.[1];
  const meant = unknown === undefined ? undefined : nearest(unknown, names);
  return meant === undefined ? sentence : `${sentence}; did you mean --${meant}?`;
}

/** They are read by their name, because they must not stand on a command line, or belong to no command. */
export const OTHER_VARIABLES = [
  "COLOPHON_CORS_ORIGIN",
  ...["SECRET", "SECRET_PREVIOUS", "KEYS", "ISSUER", "AUDIENCE"].map((name) => `COLOPHON_JWT_${name}`),
];

const PREFIX = "COLOPHON_";
/** Shorter names of settings are near to many words that other programs use: `TAG` to `LOG`, `DOMAIN` to `DRAIN`. */
const LETTERS_OF_TWO_ERRORS = 8;

/** Throws when a variable is nearly that of an option. Others may be meant for other programs, as in Kubernetes. */
export function checkVariables(options: Record<string, Option<unknown>>, environment = process.env): void {
  const ofOptions = Object.keys(options).filter((name) => options[name]!.variable);
  const known = [...ofOptions.map(variableOf), ...OTHER_VARIABLES].map((name) => name.slice(PREFIX.length));
  for (const [variable, text] of Object.entries(environment)) {
    const name = variable.slice(PREFIX.length);
    if (!text || !variable.startsWith(PREFIX) || known.includes(name)) continue;
    const meant = nearest(name, known, LETTERS_OF_TWO_ERRORS);
    if (meant !== undefined)
      throw new UsageError(`unknown variable ${variable}; did you mean ${PREFIX}${meant}?`);
  }
}

/** Returns what the environment sets, for a unit or a container without a command line. */
function environmentValues(options: Record<string, Option<unknown>>): Values {
  checkVariables(options);
  const values: Values = {};
  for (const [name, { type, variable, otherVariable = "" }] of Object.entries(options)) {
    if (!variable) continue;
    const ownVariable = variableOf(name);
    const text = process.env[ownVariable] || process.env[otherVariable];
    if (text) values[name] = type === "boolean" ? parseBoolean(text, ownVariable) : text;
  }
  return values;
}

/** Returns the variable of the environment that sets an option. */
export function variableOf(name: string): string {
  return `${PREFIX}${name.toUpperCase().replaceAll("-", "_")}`;
}

function parseBoolean(text: string, variable: string): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new UsageError(`${variable} must be true or false, not "${text}"`);
}
