/** A fact: the name of a field in words, and its values. */
import type { Language } from "../../../../client/labels.ts";
import { nameInWords } from "./element-names.ts";
import type { Fields, Shown } from "./fields.ts";

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
