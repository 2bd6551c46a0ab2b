/** Taking a list of books along, in Chromium: as a file, as ISBNs, as a link, whole or in part. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { describeInBrowser, expectNoViolations, PHONE } from "./browser.ts";

const BOM = "\ufeff";

describeInBrowser("a list that is taken along", [], (web) => {
  const open = (path: string) => web.open(path, { permissions: ["clipboard-read", "clipboard-write"] });

  test("is a CSV or NDJSON file with all books of the search, in their order", async () => {
    const page = await open("/?language=spa&sort=title");
    await page.locator(".book-row").first().waitFor();
    const first = await page.locator(".book-row h3").first().innerText();
    const total = Number.parseInt(await page.innerText(".toolbar-count"), 10);
    const csv = await downloaded(page, "Download as CSV");
    expect(csv.name).toBe("books.csv");
    expect(csv.text.startsWith(`${BOM}isbn,isbn10,title,`)).toBe(true);
    const books = (await downloaded(page, "Download as NDJSON")).text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([books.length, books[0].title]).toEqual([total, first]);
    for (const { isbn } of books) expect(csv.text).toContain(`\n${isbn},`);
    expect(await page.evaluate<string>("document.activeElement.textContent")).toBe("Export");
    await web.close(page);
  });

  test("is the list that is shown, also when a word is the beginning of one", async () => {
    const page = await open("/?q=the+ca");
    await page.getByText("No exact matches.").waitFor();
    const total = Number.parseInt(await page.innerText(".toolbar-count"), 10);
    const { text } = await downloaded(page, "Download as CSV");
    expect(text.match(/\n97[89]\d{10},/g)).toHaveLength(total);
    await web.close(page);
  });

  test("has one row of names when it has several pages", async () => {
    const page = await open("/?language=spa");
    await page.locator(".book-row").first().waitFor();
    // Pages of 50 instead of 1,000 books.
    await page.route("**/api/search?*limit=1000*", (route) =>
      route.continue({ url: route.request().url().replace("limit=1000", "limit=50") }),
    );
    const total = Number.parseInt(await page.innerText(".toolbar-count"), 10);
    expect(total).toBeGreaterThan(100);
    const { text } = await downloaded(page, "Download as CSV");
    expect(text.match(/isbn,isbn10/g)).toHaveLength(1);
    expect(text.match(/\n97[89]\d{10},/g)).toHaveLength(total);
    await web.close(page);
  });

  test("is only the marked books once some are marked, also from different searches", async () => {
    const page = await open("/?q=shakespeare");
    await page.getByLabel("Mark The Tempest").check();
    await page.fill("input[name=q]", "quijote");
    await page
      .getByRole("checkbox", { name: /ingenioso hidalgo/ })
      .first()
      .check();
    const titles = (await downloaded(page, "Download as NDJSON")).text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).title);
    expect(titles).toEqual(["The Tempest", expect.stringContaining("ingenioso hidalgo")]);
    await choose(page, "Copy the ISBNs");
    await waitFor("two ISBNs are copied", async () =>
      /^97\d{11}\n97\d{11}$/.test(await page.evaluate<string>("navigator.clipboard.readText()")),
    );
    // They stay when the page is loaded again, and need no list that could be loaded.
    await page.goto(`${web.server.url}/?q=%22open`);
    await page.getByText("A quotation mark is not closed.").waitFor();
    const again = (await downloaded(page, "Download as NDJSON")).text;
    expect(again.match(/"isbn":/g)).toHaveLength(2);
    await page.goto(`${web.server.url}/?q=quijote`);
    await page.locator(".book-row-mark input:checked").first().waitFor();
    await choose(page, "Unmark all");
    await page.getByRole("button", { name: "Export", exact: true }).waitFor();
    expect(await page.locator(".book-row-mark input:checked").count()).toBe(0);
    await web.close(page);
  });

  test("is a link that others can open, with the keyboard alone and on a phone", async () => {
    const page = await open("/?q=shakespeare&sort=title");
    await page.setViewportSize(PHONE);
    // Without books there is nothing to export.
    await page.locator(".toolbar-count", { hasText: "8 books" }).waitFor();
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    const button = page.getByRole("button", { name: "Export", exact: true });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator("#take-along").waitFor();
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    await page.locator("#take-along").waitFor({ state: "detached" });
    await choose(page, "Copy a link to this list");
    await page.locator(".toast").waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(page.url());
    await web.close(page);
  });
});

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: /^Export/ }).click();
  await page.getByRole("button", { name: item }).click();
}

async function downloaded(page: Page, item: string): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await choose(page, item);
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}
