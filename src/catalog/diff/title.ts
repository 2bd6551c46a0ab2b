import type { RecordFields, RecordValue } from "../../onix/record/record-fields.ts";
import { isFields } from "./element-keys.ts";

/** TitleType of the title on the product (ONIX list 15). */
const TITLE_ON_PRODUCT = "01";
/** TitleElementLevel of the product itself (ONIX list 149). */
const LEVEL_PRODUCT = "01";

/** Returns the title of a book without its subtitle. Is undefined when the record has none. */
export function titleOf(record: RecordFields): string | undefined {
  const { DescriptiveDetail: detail } = record;
  if (!isFields(detail)) return undefined;
  const title = preferred(detail.TitleDetail, "TitleType", TITLE_ON_PRODUCT);
  const element = title && preferred(title.TitleElement, "TitleElementLevel", LEVEL_PRODUCT);
  if (!element) return undefined;
  const { TitleText: text, TitlePrefix: prefix, TitleWithoutPrefix: rest } = element;
  if (typeof text === "string") return text;
  const parts = [prefix, rest].filter((part) => typeof part === "string");
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** Returns the element whose field has the value or, without one, the first element. */
function preferred(value: RecordValue | undefined, field: string, wanted: string): RecordFields | undefined {
  const elements = (Array.isArray(value) ? value : [value]).filter(isFields);
  return elements.find((element) => element[field] === wanted) ?? elements[0];
}
