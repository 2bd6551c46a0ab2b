/** A book's page in Chromium: words for codes, states, copies, links, accessibility. */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { describeInBrowser, expectNoSidewaysScroll, expectNoViolations } from "./browser.ts";
import { ARABIC_BOOK, CHINESE_BOOK, feedOf } from "./hostile-books.ts";

/** A hardback of the sample with contributors, texts, a related product and two schemes of subjects. */
const ISBN = "9789999901116";
const ISBN_10 = "99999-01-11-5";
const RELATED = "9789999901482";

const MANY_MARKETS_ISBN = "9788420412146";

/** One price for ten countries, another one for an eleventh, and 40 keywords. */
const MANY_MARKETS = `<Product><RecordReference>markets</RecordReference><NotificationType>03</NotificationType>
  <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${MANY_MARKETS_ISBN}</IDValue></ProductIdentifier>
  <DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>BB</ProductForm>
    <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel>
      <TitleText>Mercados</TitleText></TitleElement></TitleDetail>
    <Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier>
      <SubjectHeadingText>${Array.from({ length: 40 }, (_, at) => `word ${at}`).join("; ")}</SubjectHeadingText></Subject>
  </DescriptiveDetail>
  ${[..."AD AR BO CL CO CR CU DO EC ES".split(" ").map((country) => supplyIn(country, "10.00", "EUR")), supplyIn("MX", "200.00", "MXN")].join("")}
</Product>`;

function supplyIn(country: string, amount: string, currency: string): string {
  const territory = `<Territory><CountriesIncluded>${country}</CountriesIncluded></Territory>`;
  return `<ProductSupply><Market>${territory}</Market><SupplyDetail>
    <Supplier><SupplierRole>01</SupplierRole><SupplierName>Distribuciones</SupplierName></Supplier>
    <ProductAvailability>21</ProductAvailability>
    <Price><PriceType>02</PriceType><PriceAmount>${amount}</PriceAmount><CurrencyCode>${currency}</CurrencyCode>
      ${territory}</Price></SupplyDetail></ProductSupply>`;
}

describeInBrowser("a book's page", [], (web) => {
  /** One page for all tests: each goes to the book that it needs. */
  let page: Page;

  beforeAll(async () => {
    const feed = feedOf([ARABIC_BOOK, CHINESE_BOOK], "20260101");
    await web.importFeed(feed.replace("</ONIXMessage>", `${MANY_MARKETS}</ONIXMessage>`));
    page = await web.open(`/book/${ISBN}`, { permissions: ["clipboard-read", "clipboard-write"] });
  });

  /** Goes to a path within the app, which is quicker than loading the page again. */
  const goTo = async (path: string) => {
    await page.evaluate(
      `history.pushState(null, "", "${path}"); dispatchEvent(new PopStateEvent("popstate"))`,
    );
  };
  const goToBook = async (isbn = ISBN) => {
    await goTo(`/book/${isbn}`);
    await page.waitForSelector(`article[data-isbn="${isbn}"]`);
  };
  /** Opens a section that is folded. */
  const unfold = async (id: string) => {
    const details = page.locator(`#${id} > details`);
    await details.waitFor();
    if ((await details.getAttribute("open")) === null) await details.locator("> summary").click();
  };

  test("puts words to codes, in English and in Spanish", async () => {
    await goToBook();
    expect(await page.innerText("h1")).toContain("El ingenioso hidalgo");
    expect(await page.getAttribute("h1", "lang")).toBe("es");
    expect(await page.innerText(".book-essentials")).toMatch(
      /Hardback[\s\S]*1,184 pages[\s\S]*Spanish[\s\S]*2005/,
    );
    await page.click(".site-tools button[lang=es]");
    await page.waitForSelector('article[data-language="spa"]');
    expect(await page.innerText(".book-essentials")).toMatch(/Tapa dura[\s\S]*1\.184 páginas[\s\S]*Español/);
    await unfold("details");
    expect(await page.innerText("#details")).toMatch(/País de fabricación\s+Portugal/);
    await page.click(".site-tools button[lang=en]");
    await page.waitForSelector('article[data-language="eng"]');
  });

  test("has the price of the reader's country, which is remembered, equal markets as one, and few keywords", async () => {
    const country = page.getByLabel("Prices in");
    await goToBook(MANY_MARKETS_ISBN);
    expect(await page.innerText(".book-isbn .digits")).toBe("978-84-204-1214-6");
    await unfold("prices");
    expect(await page.locator(".prices tbody tr").count()).toBe(2);
    expect(await page.innerText(".prices tbody tr >> nth=0")).toMatch(/Andorra; Argentina; [\s\S]*€10\.00/);
    await unfold("subjects");
    expect(await page.locator("#subjects .book-chip:visible").count()).toBe(12);
    await country.selectOption("MX");
    expect(await page.innerText(".book-price")).toBe("MX$200.00");
    await country.selectOption("FR");
    expect(await page.innerText(".book-offer")).toContain("Not sold in this country");
    await page.reload();
    await page.waitForSelector(`article[data-isbn="${MANY_MARKETS_ISBN}"]`);
    expect(await country.inputValue()).toBe("FR");
    await country.selectOption("");
    expect(await page.innerText(".book-price")).toBe("€10.00");
  });

  test("says when the record changed, and leads to what changed", async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setTimezoneOverride", { timezoneId: "Pacific/Kiritimati" });
    await page.route("**/api/origin/*", async (route) => {
      const response = await route.fetch();
      const { added, ...origin } = await response.json();
      await route.fulfill({
        response,
        json: { ...origin, added: { ...added, at: "2026-03-01T12:00:00Z" }, changed: null },
      });
    });
    await page.goto(`${web.server.url}/book/${ISBN}`);
    // The day is that of the reader.
    await page.getByRole("button", { name: "Record changed on 2 Mar 2026" }).click();
    await page.getByText("The sender’s reference").waitFor();
    expect(await page.locator("#origin > details").getAttribute("open")).not.toBeNull();
    await session.detach();
    await page.unrouteAll();
  });

  test("leads to the other editions of its work", async () => {
    await goToBook("9789999901482");
    const edition = page.getByRole("region", { name: "Other editions" }).getByRole("listitem");
    await edition.getByRole("link").waitFor();
    expect(await edition.innerText()).toMatch(/ · Spanish · \d/);
    expect(await edition.getByRole("link").getAttribute("href")).toEndWith("/book/9789999901116");
  });

  test("reads like a book: title, who made it, what it is, the description, and the rest folded", async () => {
    await goToBook("9789999934626");
    expect(await page.innerText(".book-byline")).toBe("by William Shakespeare, edited by Cordelia Ashgrove");
    expect(await page.innerText(".book-cover .cover-author")).toBe("William Shakespeare");
    expect(await page.innerText(".book-collection")).toBe("The Semicolon Shakespeare, 8");
    const series = page.getByRole("region", { name: "The series “The Semicolon Shakespeare”, in order" });
    await series.waitFor();
    const titles = await series.locator(".book-card-title").allInnerTexts();
    expect([titles[0], titles.at(-1)]).toEqual(["Hamlet", "The Tempest"]);
    expect(await page.getAttribute(".book-collection a", "href")).toEndWith(
      "?series=The+Semicolon+Shakespeare&sort=oldest",
    );
    const others = page.getByRole("region", { name: "More books: Plays, playscripts" });
    await others.locator(".book-card").first().waitFor();
    expect(await others.getByText("Hamlet").count()).toBe(0);
    const sections = page.locator(".book-section");
    expect(await sections.first().getAttribute("id")).toBe("about");
    expect(await sections.last().getAttribute("id")).toBe("fields");
    // The section of the origin comes last.
    await page.locator("#origin").waitFor();
    expect(await page.locator(".book-section > details[open]").count()).toBe(1);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator(".book-section > details:not([open])").count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator(".book-section > details[open]").count()).toBe(1);
    await page.click(".site-tools button[lang=es]");
    await page.waitForSelector('article[data-language="spa"]');
    expect(await page.innerText(".book-byline")).toBe(
      "de William Shakespeare, editado por Cordelia Ashgrove",
    );
    await page.click(".site-tools button[lang=en]");
    await page.waitForSelector('article[data-language="eng"]');
  });

  test("links related products that the catalog has to their pages", async () => {
    await goToBook();
    await unfold("related");
    await page.click(`#related a[href$="/book/${RELATED}"]`);
    await page.waitForSelector(`article[data-isbn="${RELATED}"]`);
    expect(page.url()).toBe(`${web.server.url}/book/${RELATED}`);
    await page.goBack();
    await page.waitForSelector(`article[data-isbn="${ISBN}"]`);
  });

  test("tells where the record comes from", async () => {
    await goToBook();
    await unfold("origin");
    expect(await page.innerText("#origin")).toMatch(
      /Sender\s+\S[\s\S]*reference\s+org\.colophon\.sample\.0001[\s\S]*Added/,
    );
  });

  test.each([ISBN_10, "978-9999901116", `${ISBN.slice(0, 3)}%20${ISBN.slice(3)}`])(
    "replaces %s in the URL by the ISBN-13",
    async (isbn) => {
      await goTo(`/book/${isbn}`);
      await page.waitForURL(`${web.server.url}/book/${ISBN}`);
      await page.waitForSelector(`article[data-isbn="${ISBN}"]`);
    },
  );

  test.each([
    ["9788437604947", /not in the catalog[\s\S]*9788437604947/],
    ["9788437604948", /not in the catalog[\s\S]*last one would be 7/],
    ["97884376049", /not an ISBN[\s\S]*13 digits[\s\S]*this one has 11/],
    ["8437604941", /not an ISBN[\s\S]*check digit[\s\S]*X\./],
    ["abc1", /not an ISBN[\s\S]*other characters: a b c/],
  ])("tells what is wrong with %s, and offers a search", async (isbn, text) => {
    await goTo(`/book/${isbn}`);
    await page.waitForSelector(`#book-search[value="${isbn}"]`);
    expect(await page.innerText(".state")).toMatch(text);
  });

  test("goes to the search from the page of an unknown ISBN", async () => {
    await goTo("/book/9788437604947");
    await page.fill("#book-search", "quijote");
    await page.press("#book-search", "Enter");
    await page.waitForURL(`${web.server.url}/?q=quijote`);
  });

  test("shows JSON and ONIX, with reference names and short tags, and copies what it shows", async () => {
    await goToBook();
    await unfold("source");
    const formats = [
      ["JSON", /"RecordReference": "9789999901116"/],
      ["ONIX", /<ProductForm>BB<\/ProductForm>/],
      ["ONIX, short tags", /<b012>BB<\/b012>/],
    ] as const;
    for (const [name, expected] of formats) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.waitForSelector(`.source-text[aria-label="${name}"]`);
      const text = await page.textContent(".source-text");
      expect(text).toMatch(expected);
      await page.click(".source-tools button >> nth=0");
      const copied = text!.trimEnd() + (name === "JSON" ? "" : "\n");
      await waitFor(
        `${name} is copied`,
        async () => (await page.evaluate("navigator.clipboard.readText()")) === copied,
      );
      await page.waitForSelector(".toast");
    }
    const download = page.waitForEvent("download");
    await page.click(".source-tools button >> nth=1");
    expect((await download).suggestedFilename()).toBe(`${ISBN}.xml`);
  });

  test("shows the whole record in the tree, and without the switch only what stands nowhere else", async () => {
    await goToBook();
    await unfold("fields");
    const names = () => page.locator("#fields > details > .tree > li > details > summary").allInnerTexts();
    const remaining = await names();
    await page.check("#fields .switch input");
    expect((await names()).length).toBeGreaterThan(remaining.length);
    await page.uncheck("#fields .switch input");
    expect(await names()).toEqual(remaining);
  });

  test.each([
    [ARABIC_BOOK, "rtl", "ar"],
    [CHINESE_BOOK, "ltr", "zh"],
  ])("shows the title of %j in its direction and language", async ({ isbn, title }, direction, language) => {
    await goToBook(isbn);
    expect(await page.innerText("h1")).toBe(title);
    const style = await page.evaluate("getComputedStyle(document.querySelector('h1')).direction");
    expect([style, await page.getAttribute("h1", "lang")]).toEqual([direction, language]);
  });

  test("can be used by keyboard alone", async () => {
    await goToBook();
    await page.focus(".fold > summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".fold[open]");
    await page.focus("#source summary");
    await page.keyboard.press("Enter");
    await page.focus("#source button");
    await page.keyboard.press("Space");
    await page.waitForSelector(".source-text");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("ONIX");
  });

  test("prints without its controls", async () => {
    await goToBook();
    await page.emulateMedia({ media: "print" });
    for (const hidden of [".site-header", "#source", ".link-button"])
      expect(await page.locator(hidden).first().isVisible()).toBe(false);
    expect(await page.isVisible("h1")).toBe(true);
    await page.emulateMedia({ media: "screen" });
  });

  test("is where it was left after the back button", async () => {
    const page = await web.open("/?q=shakespeare");
    await page.locator(".book-row h3 a").first().click();
    const link = page.locator(".book-byline a").first();
    await link.waitFor();
    await page.evaluate("scrollTo(0, 200)");
    await link.evaluate((element) => (element as unknown as { click(): void }).click());
    await page.locator(".book-row").first().waitFor();
    await page.goBack();
    await link.waitFor();
    await waitFor("the place is the same", async () => (await page.evaluate("scrollY")) === 200);
    await web.close(page);
  });

  test("has no violation of axe-core and no sideways scroll, with everything open", async () => {
    await goToBook(ARABIC_BOOK.isbn);
    await expectNoSidewaysScroll(page);
    await goToBook();
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.waitForSelector(".source-text");
    await expectNoSidewaysScroll(page);
    await expectNoViolations(page);
    await goTo("/book/9788437604947");
    await page.waitForSelector(".state h1");
    await expectNoViolations(page);
    expect(web.violations).toEqual([]);
  });
});
