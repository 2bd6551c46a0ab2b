/** Markup and scripts in every field of the standard are shown as text, or removed, and run nothing. */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { numberedIsbn } from "../numbered-isbn.ts";
import { readBook } from "./book-page.ts";
import { describeInBrowser, expectNoSidewaysScroll } from "./browser.ts";
import { hostileMessage, hostileProduct, markOf } from "./hostile-product.ts";

const TEXTS_ISBN = numberedIsbn(9_100_001);
const CODES_ISBN = numberedIsbn(9_100_002);

describeInBrowser("a hostile feed", [], (web) => {
  const products = new Map([
    [TEXTS_ISBN, hostileProduct(TEXTS_ISBN, false)],
    [CODES_ISBN, hostileProduct(CODES_ISBN, true)],
  ]);
  let page: Page;
  const dialogs: string[] = [];

  beforeAll(async () => {
    await web.importFeed(hostileMessage([...products.values()]));
    page = await web.open(`/book/${TEXTS_ISBN}`, { storage: { "colophon.covers": "load" } });
    page.on("dialog", async (dialog) => {
      dialogs.push(dialog.message());
      await dialog.dismiss();
    });
  });

  test.each([
    ["texts", TEXTS_ISBN, 190],
    ["codes", CODES_ISBN, 350],
  ])("runs nothing and requests nothing with payloads in all %s", async (kind, isbn, count) => {
    const { elements } = products.get(isbn)!;
    expect(elements.length).toBeGreaterThan(count);
    const { shown } = await readBook(page, isbn, { isWhole: kind === "codes" });
    expect(elements.filter((name) => !shown.includes(markOf(name)))).toEqual([]);
    expect(shown.includes(`[TitleText]"'><script>globalThis.pwned=1</script><img src=`)).toBe(true);
    expect(await page.locator("#about .markup-body").first().innerText()).not.toContain("script");
    expect(await page.evaluate(DANGEROUS)).toEqual([]);
    expect(await page.evaluate("globalThis.pwned ?? 'safe'")).toBe("safe");
    expect(dialogs).toEqual([]);
    expect(web.violations.filter((text) => !PARSED.test(text))).toEqual([]);
    const links = (await page.evaluate(LINKS)) as [href: string, rel: string][];
    const others = links.filter(([href]) => !href.startsWith(web.server.url));
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(([href, rel]) => !/^https?:/.test(href) || !rel.includes("noopener"))).toEqual([]);
    await expectNoSidewaysScroll(page);
  });
});

/**
 * The sanitiser parses markup in a document that is never shown. Chromium applies the policy of the page there, too, and
 * reports what it blocks.
 */
const PARSED =
  /^(Executing inline event handler|Applying inline style|Setting the document's base URI) .*violates/;

const LINKS = `[...document.querySelectorAll("article a[href]")].map((link) => [link.href, link.rel])`;

/** Elements and attributes that can run or load something. The page's own images are drawn covers and icons. */
const DANGEROUS = `[...document.querySelectorAll("article *")].flatMap((element) => [
  ...(element.matches("script, style, link, iframe, object, embed, form, base, meta, image, img:not(.cover-image)")
    ? [element.outerHTML.slice(0, 200)] : []),
  ...[...element.attributes]
    .filter(({ name, value }) => /^on/i.test(name) || (/^(href|src|action|formaction)$/i.test(name) && /^\\s*(javascript|data):/i.test(value)))
    .map(({ name, value }) => element.tagName + " " + name + "=" + value.slice(0, 100)),
])`;
