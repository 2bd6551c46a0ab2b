/** Examples of the catalog that is being served, read through the API with the token of the page. */
import { BASE } from "../shared/core/base.ts";
import type { Schema } from "./document.ts";
import { componentOf } from "./document.ts";

export interface CatalogExamples {
  /** Values of required parameters, by name. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly record: unknown;
  readonly imprint: { readonly slug: string } | undefined;
}

/** A longer record is not an example. */
const MAX_RECORD_CHARS = 50_000;
const MAX_IMPRINT_CHARS = 4096;
/** The language of the text, which the record has as its first one of role 01. */
const LANGUAGE = /"LanguageRole":"01","LanguageCode":"([a-z]{3})"/;
const IMPRINT = /^\[(\{"_id":\{[^}]*\},[^}]*\})/;

/**
 * Returns the first ISBNs, record and imprint of the catalog. Returns undefined when the token is not accepted, or the
 * catalog is empty. Two ISBNs, one record and the start of a list are read.
 */
export async function readExamples(token: string): Promise<CatalogExamples | undefined> {
  const get = (path: string) =>
    fetch(new URL(path, BASE), { headers: { Accept: "application/json", Authorization: `Bearer ${token}` } });
  const skus = await get("api/skus?limit=2");
  const isbns: string[] = skus.ok ? await skus.json() : [];
  if (isbns.length === 0) return undefined;
  const [book, imprints] = await Promise.all([get(`api/isbn/${isbns[0]}`), get("api/imprints")]);
  const text = book.ok ? await book.text() : "";
  const imprint = imprints.ok && imprints.body ? await firstImprint(imprints.body) : undefined;
  const [, language] = LANGUAGE.exec(text) ?? [];
  return {
    parameters: { isbn: isbns[0], isbns: isbns.join(","), imprint: imprint?.slug, language },
    record: text.length > 0 && text.length <= MAX_RECORD_CHARS ? JSON.parse(text) : undefined,
    imprint,
  };
}

/** Reads only the start of the list, however long it is. */
async function firstImprint(body: ReadableStream<Uint8Array>): Promise<CatalogExamples["imprint"]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let start = "";
  while (start.length < MAX_IMPRINT_CHARS && !IMPRINT.test(start)) {
    const { value, done } = await reader.read();
    if (done) break;
    start += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  const [, json] = IMPRINT.exec(start) ?? [];
  return json === undefined ? undefined : JSON.parse(json);
}

/** Returns an example of a 200 from the catalog, or undefined when the schema is of something else. */
export function exampleOf(schema: Schema | undefined, { record, imprint }: CatalogExamples): unknown {
  const one = schema?.items ?? schema ?? {};
  const names = [one, ...(one.oneOf ?? [])].map(componentOf);
  const value = names.includes("Book") ? record : names.includes("ImprintEntry") ? imprint : undefined;
  return value !== undefined && schema?.items ? [value] : value;
}
