/** Examples of the catalog that is being served, read through the API with the token of the page. */

/** A longer record is not an example. */
const MAX_RECORD_CHARS = 50_000;
const MAX_IMPRINT_BYTES = 4096;
const IMPRINT = /^\[(\{"_id":\{[^}]*\},[^}]*\})/;

/**
 * Returns examples of parameters by name, a record and an imprint: the first ones of the catalog. Returns undefined when
 * the token is not accepted, or the catalog is empty. Two ISBNs, one record and the start of a list are read.
 */
export async function readExamples(token) {
  const get = (path) => fetch(path, { headers: { Authorization: `Bearer ${token}` } });
  const skus = await get("api/skus?limit=2");
  const isbns = skus.ok ? await skus.json() : [];
  if (isbns.length === 0) return undefined;
  const [book, imprints] = await Promise.all([get(`api/isbn/${isbns[0]}`), get("api/imprints")]);
  const text = book.ok ? await book.text() : "";
  const imprint = imprints.ok ? await firstImprint(imprints.body) : undefined;
  return {
    parameters: { isbn: isbns[0], isbns: isbns.join(","), imprint: imprint?.slug },
    record: text.length > 0 && text.length <= MAX_RECORD_CHARS ? JSON.parse(text) : undefined,
    imprint,
  };
}

/** Reads only the start of the list, however long it is. */
async function firstImprint(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let start = "";
  while (start.length < MAX_IMPRINT_BYTES && !IMPRINT.test(start)) {
    const { value, done } = await reader.read();
    if (done) break;
    start += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  const [, json] = IMPRINT.exec(start) ?? [];
  return json === undefined ? undefined : JSON.parse(json);
}
