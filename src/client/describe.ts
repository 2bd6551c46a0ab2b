/** Puts words to every code of a record. */
import { FIELDS_BY_CATEGORY, SPACE_SEPARATED } from "./generated/coded-fields.ts";
import { type Language, labelOf, type Translations } from "./labels.ts";

export interface CodedValue {
  readonly code: string;
  /** Null for a code that is not in its list. */
  readonly label: string | null;
}

type Rows = (typeof FIELDS_BY_CATEGORY)[keyof typeof FIELDS_BY_CATEGORY];
type Split<Text extends string, Parts = never> = Text extends `${infer First} ${infer Rest}`
  ? Split<Rest, Parts | First>
  : Parts | Text;
/** The names of fields with codes: of one list, and of a list that another field decides on. */
type CodedField = Exclude<Split<Rows>, `${string}:${string}`>;
type DecidedField =
  Split<Rows> extends infer Row ? (Row extends `${string}.${infer Field}:${string}` ? Field : never) : never;

type Coded<Value, Code> = Value extends string
  ? Code
  : Value extends readonly (infer Item)[]
    ? readonly Coded<Item, Code>[]
    : Value;

/** A record, or a part of it, in which each code is an object with its code and its label. */
export type DescribedTree<Value> = Value extends readonly (infer Item)[]
  ? readonly DescribedTree<Item>[]
  : Value extends object
    ? {
        readonly [Field in keyof Value]: Field extends Split<typeof SPACE_SEPARATED>
          ? Coded<Value[Field], readonly CodedValue[]>
          : Field extends CodedField
            ? Coded<Value[Field], CodedValue>
            : Field extends DecidedField
              ? Coded<Value[Field], string | CodedValue | readonly CodedValue[]>
              : DescribedTree<Value[Field]>;
      }
    : Value;

export type DescribedValue = string | null | CodedValue | readonly DescribedValue[] | Described;

/** The same without the types of its fields. */
export interface Described {
  readonly [field: string]: DescribedValue;
}

type Value = string | null | readonly Value[] | Fields;
interface Fields {
  readonly [field: string]: Value;
}

const categories: ReadonlyMap<string, string> = new Map(
  Object.entries<string>(FIELDS_BY_CATEGORY).flatMap(([category, fields]) =>
    fields.split(" ").map((field) => [field, category] as const),
  ),
);
const separated: ReadonlySet<string> = new Set(SPACE_SEPARATED.split(" "));

/** From `Composite.Field` to the field that decides on the list. */
const deciding = new Map(
  [...categories.keys()].flatMap((field) => {
    const [, name, by] = /^(.+):(.+)=/.exec(field) ?? [];
    return name === undefined ? [] : [[name, by!] as const];
  }),
);

/** A field that ONIX does not repeat, but the feed does, has its other values in a field with this ending. */
const MORE = /#more$/;

export function describeFields(book: object, translations: Translations, language: Language): Described {
  const describeAll = (fields: Fields, composite: string): Described =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => {
        const name = key.replace(MORE, "");
        const coded = codedFieldOf(fields, composite, name);
        return [key, describeValue(value, name, coded)];
      }),
    );

  const describeValue = (value: Value, name: string, coded: string | undefined): DescribedValue => {
    if (Array.isArray(value)) return value.map((each) => describeValue(each, name, coded));
    if (typeof value === "object" && value !== null) return describeAll(value as Fields, name);
    if (typeof value !== "string" || coded === undefined) return value as string | null;
    const category = categories.get(coded)!;
    const describe = (code: string): CodedValue => {
      return { code, label: labelOf(translations, code, language, category) ?? null };
    };
    return separated.has(coded) ? value.split(/\s+/).map(describe) : describe(value);
  };

  return describeAll(book as Fields, "Product");
}

/** Returns the row of the table that a field has its codes by. */
function codedFieldOf(fields: Fields, composite: string, name: string): string | undefined {
  const at = name.indexOf("@");
  const plain = at < 0 ? name : name.slice(at);
  if (categories.has(plain)) return plain;
  const by = deciding.get(`${composite}.${name}`);
  const row = by === undefined ? "" : `${composite}.${name}:${by}=${String(fields[by])}`;
  return categories.has(row) ? row : undefined;
}
