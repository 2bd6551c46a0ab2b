/** The fields of a search document, for tests that compare documents: getters are not compared. */
import type { SearchDocument } from "../search/search-document.ts";

export function fieldsOfDocument(document: SearchDocument) {
  const { description, title, contributor, rest, filter, marks, facts } = document;
  const { titleKey, imprint, languages, form, availability, lacks, prices, digest } = document;
  const texts = { description, title, contributor, rest, filter, marks, facts };
  return { ...texts, titleKey, imprint, languages, form, availability, lacks, prices, digest };
}
