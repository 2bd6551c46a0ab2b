/** The translation table: English and Spanish words for the codes of a record. */
import { codeLists } from "../onix/code-lists.ts";
import { etagOf } from "./entry.ts";
import type { StoredRecord } from "./store.ts";

/**
 * Returns the table as a JSON document. It is assembled as text because a JavaScript object would reorder its keys:
 * integer-like codes first, and "10" before "02".
 */
export function translationTable(): StoredRecord {
  const categories = Object.entries(codeLists).map(([name, { codes }]) => {
    const labels = codes.map(([code, eng, spa]) => member(code, JSON.stringify({ eng, spa })));
    return member(name, `{${labels.join(",")}}`);
  });
  const content = categories.join(",");
  const encoder = new TextEncoder();
  const id = etagOf(encoder.encode(content)).slice(0, 24);
  const body = encoder.encode(`{${member("_id", JSON.stringify({ $oid: id }))},${content}}`);
  return { body, etag: etagOf(body) };
}

function member(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}
