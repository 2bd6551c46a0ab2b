/** Access to the fields of a record, whatever shape they have: absent, one value, an array, or repeated under `#more`. */
import { REPEATED_SUFFIX, type RecordFields, type RecordValue } from "./record-fields.ts";

/** Returns the composites of a field that may be absent, single or repeated. */
export function composites(value: RecordValue | undefined): readonly RecordFields[] {
  if (value === undefined || value === null || typeof value === "string") return [];
  if (!Array.isArray(value)) return [value as RecordFields];
  return value.filter(
    (item): item is RecordFields => typeof item === "object" && item !== null && !Array.isArray(item),
  );
}

/** Returns all composites of a name. ONIX allows one of them here, but a feed may have sent more. */
export function allOf(fields: RecordFields, name: string): readonly RecordFields[] {
  const repeated = fields[name + REPEATED_SUFFIX];
  return repeated === undefined
    ? composites(fields[name])
    : [...composites(fields[name]), ...composites(repeated)];
}

/** Returns the texts of a field that may be absent, single or repeated. Empty ones do not count. */
export function texts(value: RecordValue | undefined): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === "string" && item !== "")
    : [];
}

/** Returns the first text of a field, or an empty string. */
export function firstText(value: RecordValue | undefined): string {
  if (Array.isArray(value)) return firstText(value[0]);
  return typeof value === "string" ? value : "";
}
