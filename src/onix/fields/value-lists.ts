/** The code lists that the element table does not have: those of attributes, and of values with several codes. */

/** By the name of the attribute, which means the same on every element. */
export const ATTRIBUTE_LISTS: Readonly<Record<string, number>> = {
  dateformat: 55,
  language: 74,
  sourcetype: 3,
  textcase: 14,
  textformat: 34,
  textscript: 121,
};

/** Every element may have these attributes. */
export const GENERAL_ATTRIBUTES: ReadonlySet<string> = new Set([
  "refname",
  "shortname",
  "datestamp",
  "sourcename",
  "sourcetype",
]);

const LISTS_OF_DATATYPES: Readonly<Record<string, number>> = { CountryCodeList: 91, RegionCodeList: 49 };

/** Returns the code list of a datatype whose values are several codes, separated by spaces. */
export function listOfDatatype(type: string | undefined): number | undefined {
  return type === undefined ? undefined : LISTS_OF_DATATYPES[type];
}
