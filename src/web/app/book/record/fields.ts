/**
 * Reads the fields of a described record, and remembers which ones were read. What no part of the page has read is
 * shown in the tree of remaining fields.
 */
import type { CodedValue, Described, DescribedValue } from "../../../../client/describe.ts";
import type { Language } from "../../../../client/labels.ts";
import { decodeEntities } from "../../../../onix/summary/plain-text.ts";
import { nameInWords } from "./element-names.ts";

/** A value as people read it: the label of a code, or the text of the feed. */
export interface Shown {
  readonly text: string;
  /** The value in the record, where the text is another one. */
  readonly raw?: string;
  /** Tells that the text is a code without a label. */
  readonly isUnknownCode?: true;
  /** The language of the text, a code of ONIX list 74. */
  readonly language?: string;
  /** A code of ONIX list 34. */
  readonly format?: string;
}

/** A field that ONIX does not repeat, but the feed does, has its other values under the name with this ending. */
const MORE = "#more";

/** Attributes that only say how a value is to be shown. Reading the value reads them, too. */
const PRESENTATION = ["language", "textformat", "textscript", "textcase", "dateformat"];

/** The keys that were read, by composite. */
export class ReadKeys {
  readonly #keys = new Map<Described, Set<string>>();
  /** In the order in which they were read. */
  readonly #journal: (readonly [Described, string])[] = [];

  add(composite: Described, key: string): void {
    if (this.has(composite, key)) return;
    const keys = this.#keys.get(composite) ?? new Set();
    this.#keys.set(composite, keys.add(key));
    this.#journal.push([composite, key]);
  }

  has(composite: Described, key: string): boolean {
    return this.#keys.get(composite)?.has(key) ?? false;
  }

  /** Returns what `read` returns. When that is empty, nothing of what it has read is shown, and counts as not read. */
  unlessEmpty<T>(read: () => readonly T[]): readonly T[] {
    const start = this.#journal.length;
    const result = read();
    if (result.length > 0) return result;
    for (const [composite, key] of this.#journal.splice(start)) this.#keys.get(composite)?.delete(key);
    return result;
  }
}

export class Fields {
  constructor(
    private readonly described: Described,
    private readonly read: ReadKeys,
  ) {}

  /** Returns all values of a field, in their order. */
  all(name: string): readonly Shown[] {
    return [name, name + MORE].flatMap((key) => this.#valuesOf(key));
  }

  /** Returns the values of a field that may have markup, whose entities are decoded with it. */
  markup(name: string): readonly Shown[] {
    return [name, name + MORE].flatMap((key) => this.#valuesOf(key, true));
  }

  /** Returns the value of a field that has one. Of several, the first; the tree then shows them all. */
  one(name: string): Shown | undefined {
    const value = this.#value(name);
    const isSeveral = Array.isArray(value) && value.length > 1;
    return isSeveral ? shownOf(value[0]!) : this.#valuesOf(name)[0];
  }

  /** Returns the text of a field that has one, and an empty text without it. */
  text(name: string): string {
    return this.one(name)?.text ?? "";
  }

  /** Returns the code of a field, and an empty text without it. */
  code(name: string): string {
    const shown = this.one(name);
    return shown?.raw ?? shown?.text ?? "";
  }

  /** Returns the code of an attribute of a field that has one value, and an empty text without it. */
  attributeCode(name: string, attribute: string): string {
    return codeOf(listOf(this.#value(`${name}@${attribute}`))[0]) ?? "";
  }

  composites(name: string): readonly Fields[] {
    return [name, name + MORE].flatMap((key) =>
      listOf(this.#value(key))
        .filter(isComposite)
        .map((each) => new Fields(each, this.read)),
    );
  }

  /** Reads each composite of this name. A composite for which nothing is returned counts as not read. */
  flatMap<T>(name: string, read: (composite: Fields) => readonly T[]): readonly T[] {
    return this.composites(name).flatMap((each) => this.read.unlessEmpty(() => read(each)));
  }

  /** Reads each composite of this name. A composite for which undefined is returned is left out, as not read. */
  mapPresent<T>(name: string, read: (composite: Fields) => T | undefined): readonly T[] {
    return this.flatMap(name, (each) => {
      const result = read(each);
      return result === undefined ? [] : [result];
    });
  }

  /** Returns the composite of this name, or one without fields. */
  composite(name: string): Fields {
    return this.composites(name)[0] ?? new Fields({}, this.read);
  }

  /** Tells whether the record has an empty element of this name. */
  flag(name: string): boolean {
    const value = this.#value(name);
    if (!Array.isArray(value)) return false;
    // Content, which a flag should not have, is left for the tree.
    if (value.every((each) => each === "true")) this.read.add(this.described, name);
    return true;
  }

  #value(key: string): DescribedValue | undefined {
    return Object.hasOwn(this.described, key) ? this.described[key] : undefined;
  }

  #valuesOf(key: string, isMarkup = false): readonly Shown[] {
    const values = listOf(this.#value(key));
    if (values.length === 0 || values.some(isComposite)) return [];
    this.read.add(this.described, key);
    for (const name of PRESENTATION) this.read.add(this.described, `${key}@${name}`);
    const languages = listOf(this.#value(`${key}@language`));
    const formats = listOf(this.#value(`${key}@textformat`));
    return values.flatMap((value, index) =>
      listOf(value).flatMap((each) => {
        const [language, format] = [codeOf(languages[index]), codeOf(formats[index])];
        const shown = shownOf(each, isMarkup || format !== undefined);
        if (!shown) return [];
        return [{ ...shown, ...(language && { language }), ...(format && { format }) }];
      }),
    );
  }
}

export function listOf(value: DescribedValue | undefined): readonly DescribedValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as DescribedValue];
}

/** Tells a coded value from a composite: the members of a composite that ONIX does not define are arrays. */
export function isCoded(value: DescribedValue | undefined): value is CodedValue {
  return isObject(value) && typeof value.code === "string" && "label" in value && !Array.isArray(value.label);
}

export function isComposite(value: DescribedValue | undefined): value is Described {
  return isObject(value) && !isCoded(value);
}

/** Returns undefined for a composite and for an absent value. Many feeds escape names and titles twice. */
export function shownOf(value: DescribedValue, isMarkup = false): Shown | undefined {
  if (value === "") return undefined;
  if (typeof value === "string") {
    const text = isMarkup ? value : decodeEntities(value);
    return text === value ? { text } : { text, raw: value };
  }
  if (!isCoded(value)) return undefined;
  return value.label === null
    ? { text: value.code, isUnknownCode: true }
    : { text: value.label, raw: value.code };
}

function codeOf(value: DescribedValue | undefined): string | undefined {
  if (isCoded(value)) return value.code;
  return typeof value === "string" ? value : undefined;
}

function isObject(value: DescribedValue | undefined): value is Described {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What every part of the view depends on beside the record. */
export interface ViewContext {
  readonly language: Language;
  /** YYYYMMDD, for what is past and what is to come. */
  readonly today: string;
}

export interface Fact {
  readonly name: string;
  readonly values: readonly Shown[];
}

/** Returns a fact for each field that the composite has. */
export function factsOf(
  fields: Fields,
  names: readonly string[],
  { language }: ViewContext,
): readonly Fact[] {
  return names.flatMap((name) => factOf(nameInWords(name, language), fields.all(name)));
}

/** Returns the fact, or nothing without a value. */
export function factOf(name: string, values: readonly (Shown | undefined)[]): readonly Fact[] {
  const present = values.filter((value) => value !== undefined);
  return present.length > 0 ? [{ name, values: present }] : [];
}
