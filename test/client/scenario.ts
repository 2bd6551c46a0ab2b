/** What a program does with the client. It runs in Bun, in Node and in a browser, with the same result. */
import { authors, Colophon, ColophonError, cover, many, title } from "../../src/client/index.ts";

export type ScenarioResult = Awaited<ReturnType<typeof scenario>>;

const ABSENT = "9789999900003";

export async function scenario(url: string, token: string) {
  const catalog = new Colophon({ url, token });
  const isbns = await catalog.isbns().toArray();
  const imprints = await catalog.imprints();
  const list = catalog.imprint(imprints[0]!.slug, { limit: 2, view: "summary" });
  const imprint: string[] = [];
  for await (const { isbn } of list) imprint.push(isbn);
  const books = await catalog.books([...isbns, ABSENT, isbns[0]!]);
  const summaries = await catalog.books(isbns, { view: "summary" });
  const denied = await new Colophon({ url, token: "x" }).imprints().catch((error: unknown) => error);
  const failed = denied as ColophonError;
  let [changes, cursor] = [0, ""];
  for await (const page of catalog.changes({ limit: 10 }).pages()) {
    changes += page.changes.length;
    cursor = page.next;
  }
  let rest = 0;
  for await (const _ of catalog.changes({ since: cursor })) rest++;
  return {
    isbns: isbns.length,
    imprints: imprints.length,
    imprint,
    totalOfImprint: (await list.first()).total,
    news: (await catalog.news({ date: "20000101" }).toArray()).length,
    requested: books.map(({ RecordReference }) => RecordReference),
    absent: (await catalog.book(ABSENT)) === undefined,
    titles: books.slice(0, isbns.length).map(title),
    titlesOfSummaries: summaries.map((summary) => summary.title),
    authors: books.flatMap((book) => authors(book)).length,
    covers: books.filter((book) => cover(book) !== undefined).length,
    contributors: summaries.flatMap(({ contributors }) => many(contributors)).length,
    label: await catalog.label("BC", "spa", "product_forms"),
    ambiguous: (await catalog.label("01", "eng").catch((error: unknown) => String(error))) as string,
    status: failed instanceof ColophonError ? failed.status : 0,
    hasRequestId: failed.requestId !== undefined,
    ended: (await catalog.until(AbortSignal.abort("enough")).imprints().catch(String)) as string,
    changes,
    rest,
  };
}
