/** The pages about quality and imports in a real browser, with the sample catalog and a feed that has faults. */
import { beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { themaFile } from "../../src/catalog/subjects/testing/thema.ts";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { identifier, message, product } from "../../src/onix/testing/message.ts";
import { colophon, fetchAs, temporaryFolder } from "../process.ts";
import { describeInBrowser, expectNoSidewaysScroll, expectNoViolations } from "./browser.ts";

const MARKUP = "&lt;img src=x onerror=alert(1)&gt;";
const FEED = message(
  product({ isbn: "9788437604947", title: "With a cover of nothing", imprint: "Sello Nuevo" }),
  product({ isbn: "9788437604940", title: "A wrong check digit", imprint: "Sello Nuevo" }),
  product({ reference: MARKUP, identifiers: identifier("01", "no-isbn") }),
);

interface Quality {
  readonly books: number;
  readonly has: Readonly<Record<string, number>>;
  readonly imprints: readonly { slug: string; name: string; books: number; has: Record<string, number> }[];
  readonly languages: readonly { value: string; books: number }[];
  readonly months: readonly { value: string; books: number }[];
}

const folder = temporaryFolder();
const db = join(folder, "catalog.db");

describeInBrowser("quality and imports", ["--db", db], (web) => {
  let quality: Quality;
  let page: Page;

  beforeAll(async () => {
    const feed = join(folder, "faults.xml");
    writeFileSync(feed, FEED);
    const broken = join(folder, "broken.xml");
    writeFileSync(broken, `${FEED.slice(0, FEED.indexOf("<Product>"))}<Product></ONIXMessage>`);
    expect((await colophon(["import", "--db", db, broken])).code).toBe(1);
    expect((await colophon(["import", "--db", db, feed])).code).toBe(3);
    quality = (await (await fetchAs(web.server.token, `${web.server.url}/api/quality`)).json()) as Quality;
    page = await web.open("/quality");
    await page.waitForSelector(".heat");
  });

  test("the heat map has a row for each imprint and a share for each need", async () => {
    const rows = page.locator(".heat").first().locator("tbody tr");
    const shown = quality.imprints.map(({ name }) => name);
    expect(await rows.locator("th").allInnerTexts()).toEqual(expect.arrayContaining(["All books", ...shown]));
    const { books, has } = quality;
    const cells = await rows.first().locator("td").allInnerTexts();
    expect(cells[0]).toBe(String(books));
    const covers = Math.min(99, Math.max(1, Math.round((has.cover! / books) * 100)));
    expect(cells[3 + Object.keys(has).indexOf("cover")]).toStartWith(`${covers} %`);
  });

  test("the worst imprints come first, and a column, a name and a checkbox choose others", async () => {
    const names = page.locator(".heat").first().locator("tbody th");
    expect((await names.allInnerTexts()).slice(0, 2)).toEqual(["All books", "Sello Nuevo"]);
    await page.getByRole("button", { name: "Books", exact: true }).click();
    await page.locator('th[aria-sort="descending"]', { hasText: "Books" }).waitFor();
    expect((await names.allInnerTexts())[1]).toBe(quality.imprints[0]!.name);
    await page.getByRole("searchbox", { name: "Imprint" }).fill("nuevo");
    await page.waitForURL(/imprint=nuevo/);
    await waitFor("one imprint is left", async () => (await names.allInnerTexts()).join() === "Sello Nuevo");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV of the books of Sello Nuevo" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(download.suggestedFilename()).toBe("sello-nuevo-gaps.csv");
    expect(lines[1]).toMatch(/^97884376049\d\d,.*,missing/);
    expect(lines).toHaveLength(1 + quality.imprints.find(({ slug }) => slug === "sello-nuevo")!.books);
    await page.getByRole("searchbox", { name: "Imprint" }).fill("");
    await page.getByRole("checkbox", { name: "Forthcoming only" }).click();
    const all = page.locator(".heat tbody tr", { hasText: "All books" }).locator("td").first();
    await page.locator('.heat a[href*="from="]').first().waitFor();
    // The links change at once, and the numbers with the response.
    await waitFor("fewer books are counted", async () => Number(await all.innerText()) < quality.books);
    await page.goto(`${web.server.url}/quality`);
    await page.waitForSelector(".heat");
  });

  test("the trend has a line for each need since the first import", async () => {
    const trend = page.locator(".trends li");
    await trend.first().waitFor();
    expect(await trend.count()).toBe(11);
    expect(await trend.first().innerText()).toMatch(/^Complete\s+\d+\.\d%\s+−\d/);
  });

  test("a cell leads to the books behind it, and the back button returns", async () => {
    const imprint = quality.imprints.find(({ books, has }) => has.cover! < books)!;
    const row = page.locator(".heat tr", { hasText: imprint.name }).first();
    const cell = row.locator(`a[href*="lacks=cover"]`);
    const lacking = imprint.books - imprint.has.cover!;
    expect(await cell.innerText()).toContain(`Cover: missing in ${lacking} of ${imprint.books} books`);
    await cell.click();
    await page.waitForURL((url) => url.search === `?imprint=${imprint.slug}&lacks=cover`);
    await page.locator(".toolbar-count", { hasText: String(lacking) }).waitFor();
    await page.goBack();
    await page.waitForSelector(".heat");
  });

  test("the bars have words and numbers, and lead to their books", async () => {
    const [language] = quality.languages;
    const bar = page.getByRole("list", { name: "Books by language" }).locator("li a").first();
    // Words replace codes when they are loaded.
    await bar.getByText("Spanish").waitFor();
    expect((await bar.innerText()).replace(/\s+/g, " ")).toContain(`Spanish ${language!.books}`);
    expect(await bar.getAttribute("href")).toEndWith(`/?language=${language!.value}`);
    expect(await page.getByRole("list", { name: "Books by price" }).locator("li").count()).toBeGreaterThan(2);
  });

  test("the chart of months has its numbers as a table, and a month leads to its books", async () => {
    const { value, books } = quality.months.toSorted((a, b) => b.books - a.books)[0]!;
    const chart = page.locator(".month-chart");
    expect(await chart.getAttribute("aria-label")).toContain(`the most, ${books},`);
    await chart.locator("canvas").waitFor();
    await page.locator(".month-table > summary").click();
    const link = page.locator(`.month-table a[href*="from=${value}01"]`);
    expect(await link.innerText()).toBe(String(books));
    const total = (await page.locator(".month-table td").allInnerTexts()).reduce(
      (sum, text) => sum + Number(text),
      0,
    );
    expect(total).toBe(quality.months.reduce((sum, each) => sum + each.books, 0));
    await chart.locator(".u-over").hover();
    await page.locator(".month-pointed", { hasText: /^[A-Z][a-z]+ \d{4}: \d+ books?$/ }).waitFor();
  });

  test("the page of quality has no violation of axe-core and no sideways scroll, and speaks Spanish", async () => {
    await page.locator(".month-table > summary").click();
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Español" }).click();
    await page.getByRole("heading", { name: "Lista de trabajo por sello" }).waitFor();
    await page.getByRole("button", { name: "English" }).click();
  });

  test("the page of imports shows the last import with its complaints and their books, as text", async () => {
    await page.goto(`${web.server.url}/imports`);
    const items = page.locator(".imports > li");
    const groups = items.first().locator(".complaints > li");
    await groups.first().waitFor();
    expect(await items.count()).toBe(3);
    const summary = (await items.first().locator("summary").innerText()).replace(/\s+/g, " ");
    expect(summary).toContain("faults.xml changed the catalog 2 new, 1 rejected");
    expect(await items.first().locator(".import-details").innerText()).toContain("colophon history undo 3");
    expect(await items.first().locator(".import-feeds").innerText()).toContain("faults.xml");
    const rejected = groups.filter({ hasText: "Rejected" });
    expect(await rejected.innerText()).toContain("<img src=x onerror=alert(1)>");
    const book = groups
      .filter({ hasText: "9788437604940" })
      .getByRole("link", { name: "9788437604940" })
      .first();
    expect(await book.getAttribute("href")).toEndWith("/book/9788437604940");
  });

  test("a failure says why in its line, and the filter by outcome finds it", async () => {
    await page.getByRole("combobox", { name: "Outcome" }).selectOption("failed");
    await page.waitForURL(/outcome=failed/);
    const summaries = page.locator(".imports > li summary");
    await waitFor("one import is listed", async () => (await summaries.count()) === 1);
    expect((await summaries.innerText()).replace(/\s+/g, " ")).toMatch(
      /broken\.xml failed line 4, column 10: not well-formed/,
    );
    // A response that comes while somebody types leaves the text as it is.
    const { promise: typed, resolve } = Promise.withResolvers<void>();
    await page.route(/\/api\/imports/, async (route) => {
      await typed;
      await route.continue();
    });
    await page.getByRole("combobox", { name: "Outcome" }).selectOption("");
    const sender = page.getByRole("combobox", { name: "Sender" });
    await sender.fill("Nobody");
    resolve();
    await waitFor("all imports are listed", async () => (await summaries.count()) === 3);
    await page.unrouteAll({ behavior: "wait" });
    await sender.press("Enter");
    await page.waitForURL(/sender=Nobody/);
    await page.getByText("No import has this sender and outcome.").waitFor();
    await sender.fill("");
    await sender.press("Enter");
    await waitFor("all imports are listed", async () => (await summaries.count()) === 3);
  });

  test("an import is opened with the keyboard, and its complaints are loaded then", async () => {
    const sample = page.locator(".imports > li").last();
    await sample.locator("summary").focus();
    await page.keyboard.press("Enter");
    await sample.locator(".import-details").waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
  });

  test("loaded subjects are a tree of filters on the shelf, with their numbers of books, and words in chips", async () => {
    const thema = join(folder, "Thema_en.json");
    const counted = page.waitForResponse(/\/api\/subjects\?/);
    await page.goto(web.server.url);
    await (await counted).finished();
    await page.locator(".facet-list[aria-busy=false]").waitFor();
    expect(await page.locator("#facet-subject").count()).toBe(0);
    writeFileSync(thema, themaFile("eng"));
    expect((await colophon(["subjects", "--db", db, thema])).code).toBe(0);
    await page.reload();
    const tree = page.getByRole("list", { name: "Subject" });
    await tree.getByRole("link", { name: "Stories" }).click();
    await page.waitForURL(/subject=93%3AF$/);
    await page.locator(".filter-chip", { hasText: "Subject Stories" }).waitFor();
    const search = (subject: string) =>
      fetchAs(web.server.token, `${web.server.url}/api/search?limit=1&subject=${subject}`);
    const total = (await search("93:FB")).headers.get("x-total-count")!;
    await tree.getByRole("link", { name: `Stories in general ${total}` }).waitFor();
    await tree.getByRole("link", { name: "Stories in general" }).click();
    await page.waitForURL(/subject=93%3AFB$/);
    await page.locator(".filter-chip", { hasText: "Subject Stories in general" }).waitFor();
    await page.locator(".facet-list[aria-busy=false]").waitFor();
    // No book of the sample is a modern story.
    expect(await tree.getByRole("link", { name: "Modern stories" }).count()).toBe(0);
    await expectNoViolations(page);
  });

  test("both pages request no other host, keep to the policy and throw nothing", () => {
    expect(web.violations).toEqual([]);
  });
});
