/** Every sample as a book's page, in one browser session: nothing is hidden, and codes have words. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { areSamplesMissing, readSamples } from "../../src/onix/testing/samples.ts";
import { describedIn, hiddenValues, valuesOf } from "../../src/web/app/book/testing/record-values.ts";
import { numberedIsbn } from "../during-tests.ts";
import { fetchAs, temporaryFolder } from "../process.ts";
import { readBook } from "./book-page.ts";
import { CHROMIUM, isSkipped, startWeb, type WebHarness } from "./browser.ts";

describe.skipIf(isSkipped || areSamplesMissing)(`samples (skipped without ${CHROMIUM} or ../shared)`, () => {
  const folder = temporaryFolder();
  let web: WebHarness;
  let feeds: SampleFeeds;

  beforeAll(async () => {
    [web, feeds] = await Promise.all([startWeb(), writeSampleFeeds(join(folder, "feeds"))]);
    await web.importFiles(feeds.files);
  });

  afterAll(() => web?.[Symbol.asyncDispose]());

  test("show every value, no code that has a label, and no error", async () => {
    expect(feeds.isbns.length).toBeGreaterThan(150);
    const page = await web.open(`/book/${feeds.isbns[0]}`);
    // Values are read from the document. Layout and paint of hundreds of open branches would be most of the work.
    await page.evaluate("document.documentElement.style.display = 'none'");
    const books = withNewParts(await recordsOf(web, feeds.isbns));
    const problems: unknown[] = [];
    for (const book of books) {
      const isbn = book.RecordReference;
      const described = describedIn(book, "eng");
      const { shown, texts, unknownCodes } = await readBook(page, isbn);
      const values = valuesOf(described);
      const withoutLabel = new Set(values.flatMap(({ text, code }) => (code === undefined ? [text] : [])));
      const codes = new Set(values.flatMap(({ code }) => code ?? []));
      const found = [
        ...hiddenValues(described, shown),
        ...texts.filter((text) => codes.has(text) && !withoutLabel.has(text) && !isPosition(text)),
        ...unknownCodes.filter((code) => !withoutLabel.has(code)),
      ];
      problems.push(...found.map((problem) => ({ isbn, problem })));
    }
    expect(problems).toEqual([]);
    expect(web.violations).toEqual([]);
  });
});

type Record = { readonly RecordReference: string };

async function recordsOf({ server }: WebHarness, isbns: readonly string[]): Promise<readonly Record[]> {
  const response = await fetchAs(server.token, `${server.url}/api/isbns/${isbns.join(",")}`);
  return (await response.json()) as Record[];
}

/** Returns the records that have an element or a code that none before them has. */
function withNewParts(records: readonly Record[]): readonly Record[] {
  const seen = new Set<string>();
  return records.filter((record) => {
    const { size } = seen;
    for (const part of partsOf(record)) seen.add(part);
    return seen.size > size;
  });
}

const MAX_CODE_CHARS = 3;

/** Lists the path of each element, those of codes with their values. */
function partsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => partsOf(item, `${path}[]`));
  if (value !== null && typeof value === "object")
    return Object.entries(value).flatMap(([name, member]) => partsOf(member, `${path}/${name}`));
  return [String(value).length <= MAX_CODE_CHARS ? `${path} ${value}` : path];
}

/** The tree numbers composites of one name. */
function isPosition(text: string): boolean {
  return /^[1-9]\d*$/.test(text);
}

interface SampleFeeds {
  readonly files: readonly string[];
  readonly isbns: readonly string[];
}

/** Writes the samples as feeds in which each product has an ISBN of its own. Files that are not ONIX 3 are left out. */
async function writeSampleFeeds(folder: string): Promise<SampleFeeds> {
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  const isbns: string[] = [];
  for await (const { name, xml: original } of readSamples()) {
    const xml = withOwnIsbns(original, () => {
      const isbn = numberedIsbn(isbns.length);
      isbns.push(isbn);
      return isbn;
    });
    const file = join(folder, `${name}.xml`);
    await Bun.write(file, xml);
    files.push(file);
  }
  return { files, isbns };
}

/** Deletions, updates and test records become whole records; the first ISBN of a product is its own. */
function withOwnIsbns(xml: string, nextIsbn: () => string): string {
  return xml
    .replace(/<((?:\w+:)?(?:DeletionText|a199))>[^<]*<\/\1>/g, "")
    .replace(
      /<(\w+:)?(NotificationType|a002)([^>]*)>[^<]*<\/(?:\w+:)?\2>/g,
      (_, prefix = "", name, attributes) =>
        `<${prefix}${name}${attributes}>03</${prefix}${name}>` +
        `<${prefix}ProductIdentifier><${prefix}ProductIDType>15</${prefix}ProductIDType>` +
        `<${prefix}IDValue>${nextIsbn()}</${prefix}IDValue></${prefix}ProductIdentifier>`,
    );
}
