/** Entries of records that tests write. */
import { encodeJson } from "../../lib/text.ts";
import type { Origin } from "../../onix/record/origin.ts";
import type { BookRecord } from "../../onix/record/record-fields.ts";
import { entryOfBody } from "../entry.ts";
import type { Entry } from "../store.ts";

export function createEntry(record: BookRecord, reference: string, origin: Origin, sender = ""): Entry {
  return entryOfBody(encodeJson(record), { sender, reference, origin: JSON.stringify(origin) });
}
