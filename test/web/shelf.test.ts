/** Shelf, search and imprints in Chromium, served by the real program with the sample catalog. */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { describeInBrowser, expectNoSidewaysScroll, expectNoViolations } from "./browser.ts";
import { ARABIC_BOOK, CHINESE_BOOK, feedOf, MARKUP_BOOK } from "./hostile-books.ts";

const ROW_TITLES = "[data-results] .book-row h3 a";

describeInBrowser("the shelf", [], (web) => {
  /** One page for most tests, in their order. Its language is English, its theme that of the system. */
  let page: Page;

  beforeAll(async () => {
    await web.importFeed(feedOf([MARKUP_BOOK, ARABIC_BOOK, CHINESE_BOOK], today()));
  });

  test("asks for a token once, and again when it is rejected", async () => {
    page = await web.open("/", { token: "" });
    await page.locator("h1").waitFor();
    await expectNoViolations(page);
    await page.keyboard.type("Authorization: Bearer not-a-token");
    await page.keyboard.press("Enter");
    await page.getByText("did not accept this token").waitFor();
    await page.getByLabel("Bearer token").fill(`  Bearer ${web.server.token!.replace(".", ".\n")}`);
    await page.keyboard.press("Enter");
    await page.locator(".shelf .book-card").first().waitFor();
    expect(await stored(page, "colophon.token")).toBe(web.server.token!);
    await page.reload();
    await page.locator(".shelf .book-card").first().waitFor();
  });

  test("shows new and forthcoming books as shelves of drawn covers", async () => {
    // Each shelf has a request of its own.
    await waitFor(
      "both shelves are filled",
      async () => (await page.locator(".shelf .cover-title").count()) > 20,
    );
    const titles = await page.locator(".shelf h2").allInnerTexts();
    expect(titles).toEqual(["New this season", "Coming soon"]);
    expect(await page.locator(".cover img").count()).toBe(0);
    await expectNoViolations(page);
  });

  test("keeps only visible rows in the document, and loads further pages while scrolling", async () => {
    const rows = page.locator("[data-results] li[data-index]");
    await rows.first().waitFor();
    expect(await rows.first().getAttribute("aria-setsize")).toBe("226");
    const last = page.locator('[data-results] li[data-index="225"]');
    let most = 0;
    await waitFor("the last book is shown", async () => {
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      most = Math.max(most, await rows.count());
      return (await last.count()) === 1;
    });
    expect(most).toBeLessThan(30);
    await page.evaluate("scrollTo(0, 0)");
  });

  test("searches while a person types, from the key / on, and opens a result with the arrow keys", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("shakespeare");
    await page.getByRole("heading", { name: "Results for “shakespeare”" }).waitFor();
    await page.locator(".toolbar-count", { hasText: "8 books" }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=shakespeare");
    expect(await page.title()).toBe("Results for “shakespeare” · Colophon");
    // While there are suggestions, the arrow keys go through these.
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await focusedText(page)).toBe((await page.locator(ROW_TITLES).allInnerTexts())[1]!);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/book\/97[89]\d{10}$/);
    await page.goBack();
    await page.locator(".toolbar-count", { hasText: "8 books" }).waitFor();
    expect(await page.getByLabel("Search the catalog").inputValue()).toBe("shakespeare");
    await page.goBack();
    await page.locator(".shelf .book-card").first().waitFor();
    expect(new URL(page.url()).search).toBe("");
    expect(await page.getByLabel("Search the catalog").inputValue()).toBe("");
  });

  test("shows books with words that begin with the query, when none has the word itself", async () => {
    await page.getByLabel("Search the catalog").fill("shakesp");
    await page.getByText("words that begin with what you typed").waitFor();
    await page.locator(".toolbar-count", { hasText: "8 books" }).waitFor();
    await page.locator(".facet-count", { hasText: "8" }).first().waitFor();
  });

  test("shows what is wrong with a query, and no book for one without results", async () => {
    await page.getByLabel("Search the catalog").fill('"shakes');
    await page.getByText("A quotation mark is not closed").waitFor();
    await page.getByLabel("Search the catalog").fill("zzzzzz");
    await page.getByRole("heading", { name: "No books found" }).waitFor();
    await page.locator("#facets").waitFor({ state: "hidden" });
  });

  test("filters by facets with labels in words, and has each state in a URL that others can open", async () => {
    await page.goto(web.server.url);
    await page.locator(".facet a", { hasText: "French" }).click();
    await page.getByRole("heading", { name: "French" }).waitFor();
    await page.getByText("19 books").waitFor();
    await page.locator(".facet a", { hasText: "Hardback" }).waitFor({ state: "detached" });
    await page.locator(".facet a", { hasText: "Digital (delivered electronically)" }).click();
    await page.getByText("2 books").waitFor();
    await page.getByLabel("Sort by").selectOption("title");
    const search = "?language=fre&form=EA&sort=title";
    await page.waitForURL((url) => url.search === search);
    await page.locator("[data-results][aria-busy=false]").waitFor();
    const titles = await page.locator(ROW_TITLES).allInnerTexts();
    expect(titles).toEqual(titles.toSorted((a, b) => a.localeCompare(b, "fr")));
    const other = await web.open(`/${search}`);
    await other.getByText("2 books").waitFor();
    expect(await other.locator(ROW_TITLES).allInnerTexts()).toEqual(titles);
    await web.close(other);
    await page.getByRole("link", { name: "Remove the filter Language French" }).click();
    await page.getByText("32 books").waitFor();
    await page.goBack();
    await page.getByText("2 books", { exact: true }).waitFor();
  });

  test("keeps the other values of a group, with their counts, when one is chosen", async () => {
    await page.goto(`${web.server.url}/?q=casa`);
    const languages = page.locator("[aria-labelledby=facet-language] a");
    await languages.nth(1).waitFor();
    const before = await languages.allInnerTexts();
    expect(before.length).toBeGreaterThan(1);
    await languages.nth(1).click();
    await page.locator("[aria-labelledby=facet-language] a[aria-current]").waitFor();
    await page.locator(".facet-list[aria-busy=false]").waitFor();
    expect(await languages.allInnerTexts()).toEqual(before);
    // Another value replaces the first one, without a step back.
    await languages.first().click();
    await page.locator("[aria-labelledby=facet-language] li:first-child a[aria-current]").waitFor();
    await page.locator(".facet-list[aria-busy=false]").waitFor();
    expect(await languages.allInnerTexts()).toEqual(before);
  });

  test("has errors in the words of the page, in Spanish too", async () => {
    await page.goto(`${web.server.url}/?q=faro`);
    await page.getByRole("button", { name: "Español" }).click();
    await page.locator("html[lang=es]").waitFor();
    for (const [query, text] of [
      ["q=%22faro", "Unas comillas no están cerradas."],
      ["q=fa*ro", "Un asterisco solo puede ir al final de una palabra."],
      ["language=xyz", "Esta dirección tiene un filtro con un valor que no existe."],
      ["lacks=blurb", "Esta dirección tiene un filtro con un valor que no existe."],
    ]) {
      await page.goto(`${web.server.url}/?${query}`);
      await page.locator("main .state").getByText(text!).waitFor();
      expect(await page.innerText("main")).not.toMatch(/allowed|quotation|asterisk|give a code/);
    }
    await page.getByRole("link", { name: "Quitar todos los filtros" }).click();
    await page.locator(".shelf .book-card").first().waitFor();
    await page.getByRole("button", { name: "English" }).click();
  });

  test("returns to the same place in a long list after the back button and a reload", async () => {
    await page.goto(`${web.server.url}/?language=spa`);
    await page.locator(ROW_TITLES).first().waitFor();
    await page.evaluate("scrollTo(0, 3000)");
    const link = page.locator('[data-results] li[data-index="20"] a');
    await link.waitFor();
    const scrolled = await page.evaluate<number>("scrollY");
    await link.click();
    await page.waitForURL(/\/book\//);
    await page.goBack();
    await link.waitFor();
    await waitFor("the place is the same", async () => (await page.evaluate("scrollY")) === scrolled);
    await page.evaluate("scrollTo(0, 1500)");
    await page.reload();
    await waitFor("the place is restored", async () => (await page.evaluate("scrollY")) === 1500);
  });

  test("begins with the first books of another filter, and returns to the place in each list", async () => {
    await page.goto(`${web.server.url}/?language=spa`);
    await page.locator("#facet-form + ul a").first().waitFor();
    await page.evaluate("scrollTo(0, 3000)");
    await page.locator('[data-results] li[data-index="20"] a').first().waitFor();
    await page.locator("#facet-form + ul a").first().click();
    await page.waitForURL(/form=/);
    const first = page.locator('[data-results] li[data-index="0"]');
    await waitFor("the first book is shown", async () => ((await first.boundingBox())?.y ?? -1) > 0);
    await page.evaluate("scrollTo(0, 1500)");
    const isAt = (y: number) =>
      waitFor(`the place is ${y}`, async () => (await page.evaluate("scrollY")) === y);
    await page.goBack();
    await isAt(3000);
    await page.evaluate("scrollTo(0, 2000)");
    await page.goForward();
    await isAt(1500);
    await page.goBack();
    await isAt(2000);
  });

  test("has its books when the back button is pressed while the page of a book is being loaded", async () => {
    const impatient = await web.open("/?language=spa", { viewport: { width: 1280, height: 800 } });
    await impatient.clock.install();
    await impatient.reload();
    const { promise: isBack, resolve: goOn } = Promise.withResolvers<void>();
    await impatient.route("**/page/chunk-*.js", async (route) => {
      await isBack;
      await route.continue();
    });
    const chunk = impatient.waitForRequest("**/page/chunk-*.js");
    await impatient.locator(ROW_TITLES).first().click();
    const response = (await chunk).response();
    // The chunk arrives before the next paint.
    await impatient.clock.pauseAt(Date.now() + 60_000);
    await impatient.goBack();
    goOn();
    await (await response)?.finished();
    // A task after the response has evaluated the chunk.
    await impatient.evaluate("0");
    await impatient.clock.resume();
    await impatient.locator(ROW_TITLES).first().waitFor();
  });

  test("shows texts of the catalog as text, each in its own direction and language", async () => {
    await page.goto(`${web.server.url}/?q=hostile`);
    await page.getByText("3 books").waitFor();
    const row = (title: string) => page.locator(ROW_TITLES, { hasText: title });
    // Summaries have no markup.
    expect(await row("Hostile").innerText()).toBe('Hostile ">');
    expect(await page.locator(".book-row-authors", { hasText: "Mallory" }).count()).toBe(1);
    expect(await row(ARABIC_BOOK.title).getAttribute("lang")).toBe("ar");
    expect(await row(CHINESE_BOOK.title).getAttribute("lang")).toBe("zh");
    const directionOf = (tag: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("h3 [lang=${tag}]")).direction`);
    expect([await directionOf("ar"), await directionOf("zh")]).toEqual(["rtl", "ltr"]);
    await page.goto(`${web.server.url}/?q=${encodeURIComponent(MARKUP_BOOK.author)}`);
    await page.locator("[data-results][aria-busy=false]").waitFor();
    expect(await page.title()).not.toBe("pwned");
    await page.goto(`${web.server.url}/imprints?q=hostile`);
    await page.locator(".imprint-name", { hasText: "onerror" }).waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
  });

  test("lists imprints with their numbers of books, and leads to the books of one", async () => {
    await page.goto(`${web.server.url}/imprints`);
    await page.getByText("20 imprints").waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel("Find an imprint").fill("peninsula");
    await page.getByText("1 imprint", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Península Imaginaria 20 books" }).click();
    await page.getByRole("heading", { name: "Península Imaginaria", level: 1 }).waitFor();
    await page.locator(".toolbar-count", { hasText: "20 books" }).waitFor();
  });

  test("changes the language of the whole page, and keeps it", async () => {
    await page.goto(`${web.server.url}/?language=eng`);
    await page.getByRole("button", { name: "Español" }).click();
    await page.getByRole("heading", { name: "Inglés" }).waitFor();
    await page.locator("html[lang=es]").waitFor();
    expect(await page.locator(".facet h3").first().innerText()).toBe("IDIOMA");
    expect(await page.locator(".site-nav a").first().innerText()).toBe("Estantería");
    await page.reload();
    await page.getByRole("link", { name: "Quitar el filtro Idioma Inglés" }).waitFor();
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { name: "English" }).waitFor();
  });

  test("follows the theme of the system until the switch chooses one, also in the documentation", async () => {
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "light" });
    const light = await background();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.getByRole("button", { name: "Switch to the light theme" }).click();
    expect(await background()).toBe(light);
    await page.goto(`${web.server.url}/docs/search`);
    expect(await background()).toBe(light);
    await page.getByRole("button", { name: "Switch to the dark theme" }).click();
    expect(await background()).toBe(dark);
    await page.getByRole("link", { name: "Shelf" }).click();
    await page.locator(".shelf .book-card").first().waitFor();
    expect(await background()).toBe(dark);
    await page.evaluate("localStorage.removeItem('colophon.theme')");
  });

  test("has no accessibility violations and no sideways scrolling in lists and covers", async () => {
    for (const path of ["/?q=la&language=spa", "/?show=covers&from=20200101&to=20201231"]) {
      await page.goto(web.server.url + path);
      await page.locator("[data-results] li").first().waitFor();
      await page.locator(".facet a").first().waitFor();
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
    }
    await page.goto(web.server.url);
    await page.locator(".shelf .book-card").first().waitFor();
    await expectNoSidewaysScroll(page);
  });

  test("shows an error of the store as such, and recovers with another attempt", async () => {
    // The page tries again by itself, too: only a click succeeds.
    await page.route("**/api/search?*", async (route) => {
      if (await page.evaluate("globalThis.wasClicked === true")) await route.continue();
      else await route.fulfill({ status: 503, body: "{}" });
    });
    await page.goto(`${web.server.url}/?q=faro`);
    await page.getByText("not available at the moment").waitFor();
    await page.evaluate("addEventListener('click', () => { globalThis.wasClicked = true; }, true)");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(ROW_TITLES).first().waitFor();
    await page.unroute("**/api/search?*");
  });

  test("has one heading of the first level on a page that cannot be loaded", async () => {
    await page.route("**/api/**", (route) => route.fulfill({ status: 503, body: "{}" }));
    for (const path of ["quality", "imprints", "book/9788000100012"]) {
      await page.goto(`${web.server.url}/${path}`);
      await page.getByRole("button", { name: "Try again" }).waitFor();
      expect([path, await page.locator("h1").count()]).toEqual([path, 1]);
      expect(await page.title()).toMatch(/^(Quality|Imprints|9788000100012) · Colophon$/);
    }
    await page.unroute("**/api/**");
  });

  test("leads from the skip link to the content, with the keyboard alone", async () => {
    await page.goto(`${web.server.url}/imprints`);
    await page.locator(".imprint").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await focusedText(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.type")).toBe("search");
  });

  test("requests no other host, keeps to its policy and throws nothing", () => {
    expect(web.violations).toEqual([]);
  });
});

function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll("-", "");
}

async function stored(page: Page, key: string): Promise<unknown> {
  return await page.evaluate(`localStorage.getItem(${JSON.stringify(key)})`);
}

async function focusedText(page: Page): Promise<unknown> {
  return await page.evaluate("document.activeElement.innerText");
}
