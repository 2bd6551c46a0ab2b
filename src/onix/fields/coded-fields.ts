/** Which fields of a record have codes, and of which code list. */
import type { DatatypeName } from "../check/datatypes.ts";
import { listOfDatatype } from "../code-lists.ts";
import { elementByTag } from "../element-table.ts";
import table from "../generated/schema.json" with { type: "json" };

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

/** The datatypes and attributes of elements, as the schema of either release of ONIX 3 has them. */

/** `Flow` is text with markup. */
export type FieldType = DatatypeName | "Flow";

/** One value for both releases, or the pair of 3.0 and 3.1. */
type Member = string | readonly (string | null)[];

const rows = table as unknown as Readonly<
  Record<string, { readonly type?: string; readonly attributes?: Member }>
>;

/** Returns undefined for a composite or a flag. */
export function fieldTypeOf(element: string): FieldType | undefined {
  return rows[element]?.type as FieldType | undefined;
}

/** Returns the attributes of an element in either release, without those that every element may have. */
export function fieldAttributesOf(element: string): readonly string[] {
  const attributes = rows[element]?.attributes ?? [];
  const texts = typeof attributes === "string" ? [attributes] : attributes;
  return [...new Set(texts.flatMap((text) => text?.split(" ") ?? []))];
}

/**
 * A field whose code list depends on another field of the same composite: from the code of `by` to the number of the
 * code list. The notes of the code lists say so, such as "Using a code from List 28" on code 01 of list 29. A test
 * compares this table with the notes.
 */
export interface DependentLists {
  /** The field beside it that decides. */
  readonly by: string;
  readonly lists: Readonly<Record<string, number>>;
  /** The codes of `by` for which the value is a list of codes, separated by spaces. */
  readonly severalFor?: readonly string[];
}

/** By composite and field. */
const DEPENDENT_LISTS: Readonly<Record<string, Readonly<Record<string, DependentLists>>>> = {
  Audience: { AudienceCodeValue: { by: "AudienceCodeType", lists: { "01": 28, "22": 203, "27": 74 } } },
  AudienceRange: {
    AudienceRangeValue: { by: "AudienceRangeQualifier", lists: { "11": 77, "26": 77, "29": 227, "31": 238 } },
  },
  ProductFormFeature: {
    ProductFormFeatureValue: {
      by: "ProductFormFeatureType",
      lists: {
        "01": 98,
        "02": 98,
        "04": 99,
        "05": 76,
        "06": 176,
        "09": 196,
        "12": 143,
        "13": 184,
        "15": 220,
        "19": 242,
        "21": 243,
        "26": 98,
        "27": 98,
        "41": 262,
        "42": 262,
        "43": 262,
        "44": 262,
        "52": 91,
      },
      severalFor: ["52"],
    },
  },
  ResourceFeature: { FeatureValue: { by: "ResourceFeatureType", lists: { "09": 256 } } },
  ResourceFileFeature: { ResourceFileFeatureValue: { by: "ResourceFileFeatureType", lists: { "01": 178 } } },
  ResourceVersionFeature: { FeatureValue: { by: "ResourceVersionFeatureType", lists: { "01": 178 } } },
  ReturnsConditions: { ReturnsCode: { by: "ReturnsCodeType", lists: { "02": 66, "04": 204 } } },
  SalesOutletIdentifier: { IDValue: { by: "SalesOutletIDType", lists: { "03": 139 } } },
  SpecificationFeature: {
    SpecificationFeatureValue: { by: "SpecificationFeatureType", lists: { "43": 257, "45": 258 } },
  },
};

export function dependentListsOf(composite: string, field: string): DependentLists | undefined {
  return DEPENDENT_LISTS[composite]?.[field];
}
