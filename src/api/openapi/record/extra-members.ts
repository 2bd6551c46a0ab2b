/** The members that a record has beside those of the standard: docs/record.md, "What the standard does not define". */
import { arrayOf, type Schema } from "../json-schema.ts";

/** Keys with `@` or `#`, which no name of an element contains. */
export const EXTRA_MEMBERS: Schema = {
  description:
    "Members that the schema of a composite does not list. `Name@attribute` of an element, in the shape of its value, and " +
    "`@attribute` of the composite itself: any element may have `datestamp`, `sourcename` and `sourcetype`. " +
    "`Name#more`: elements that a feed repeats although ONIX does not. `#text`: text between elements. " +
    "`MainSubject#text`: the content of that flag.",
  patternProperties: {
    "@[^@#]+$": { type: ["string", "array"], items: { type: ["string", "null"] } },
    "^[^@#]+#more$": arrayOf({ type: ["string", "object"] }),
    "^[^@#]*#text$": { type: "string" },
  },
};

export const UNKNOWN_ELEMENT: Schema = {
  ...arrayOf({ type: ["string", "object", "array"], items: {} }),
  minItems: 1,
  description:
    "An element that ONIX does not have, or not here, under its own name. It is always an array: of texts, of objects " +
    "where it contains elements, or of arrays where it is a flag.",
};
