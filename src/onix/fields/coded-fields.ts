/** Which fields of a record have codes, and of which code list. */
import { elementByTag } from "../element-table.ts";
import { type DependentLists, dependentListsOf } from "./dependent-codes.ts";
import { fieldTypeOf } from "./field-types.ts";
import { listOfDatatype } from "./value-lists.ts";

/** The code list of a field, or the lists among which the field beside it decides. */
export type FieldCodes =
  | {
      readonly list: number;
      /** Tells whether the value is several codes, separated by spaces. */
      readonly isSpaceSeparated: boolean;
    }
  | DependentLists;

/** Returns undefined for a field without codes. */
export function fieldCodes(composite: string, field: string): FieldCodes | undefined {
  const [list] = elementByTag(field)?.lists ?? [];
  if (list !== undefined) return { list, isSpaceSeparated: false };
  const several = listOfDatatype(fieldTypeOf(field));
  if (several !== undefined) return { list: several, isSpaceSeparated: true };
  return dependentListsOf(composite, field);
}
