/** Every sample as a book's page, in one browser session: nothing is hidden, and codes have words. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { describedIn, hiddenValues, valuesOf } from "../../src/web/app/book/testing/record-values.ts";
import { temporaryFolder } from "../process.ts";
import { readBook } from "./book-page.ts";
import { CHROMIUM, isSkipped, startWeb, TIMEOUT_MS, type WebHarness } from "./browser.ts";
import { type SampleFeeds, samples, writeSampleFeeds } from "./sample-feeds.ts";

setDefaultTimeout(TIMEOUT_MS);

describe.skipIf(isSkipped || samples.missing)(`samples (skipped without ${CHROMIUM} or ../shared)`, () => {
  const folder = temporaryFolder();
  let web: WebHarness;
  let feeds: SampleFeeds;

  beforeAll(async () => {
    [web, feeds] = await Promise.all([startWeb(), writeSampleFeeds(join(folder.path, "feeds"))]);
    await web.importFiles(feeds.files);
  });

  afterAll(async () => {
    await web?.[Symbol.asyncDispose]();
    folder.remove();
  });

  test("show every value, no code that has a label, and no error", async () => {
    expect(feeds.isbns.length).toBeGreaterThan(150);
    const page = await web.open(`/book/${feeds.isbns[0]}`);
    const problems: unknown[] = [];
    for (const isbn of feeds.isbns) {
      const response = await fetch(`${web.server.url}/api/isbn/${isbn}`, {
        headers: { Authorization: `Bearer ${web.server.token}` },
      });
      const described = describedIn((await response.json()) as object, "eng");
      const { shown, texts, unknownCodes } = await readBook(page, isbn);
      problems.push(...hiddenValues(described, shown).map((value) => ({ isbn, hidden: value })));
      const values = valuesOf(described);
      const withoutLabel = new Set(values.flatMap(({ text, code }) => (code === undefined ? [text] : [])));
      const codes = new Set(values.flatMap(({ code }) => code ?? []));
      const raw = texts.filter((text) => codes.has(text) && !withoutLabel.has(text) && !isPosition(text));
      problems.push(...raw.map((code) => ({ isbn, raw: code })));
      problems.push(
        ...unknownCodes.filter((code) => !withoutLabel.has(code)).map((code) => ({ isbn, code })),
      );
    }
    expect(problems).toEqual([]);
    expect(web.violations).toEqual([]);
  });
});

/** The tree numbers composites of one name. */
function isPosition(text: string): boolean {
  return /^[1-9]\d*$/.test(text);
}
