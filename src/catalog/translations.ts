/** The translation table: English and Spanish words for the codes of a record. */
import { codeLists } from "../onix/code-lists.ts";
import { etagOf } from "./entry.ts";
import type { StoredRecord } from "./store.ts";

/**
 * Written member by member: an object of JavaScript would put codes that look like numbers before the others,
 * and "10" before "02".
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
