/** Finding a book in Chromium: what stands above the fold, what stays in view, and what moves while the page loads. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { DESKTOP, describeInBrowser, expectNoViolations, PHONE } from "./browser.ts";

/** The sum of a page must stay below 0.02. A shift below this one moves a few letters. */
const VISIBLE_SHIFT = 0.001;

describeInBrowser("finding a book", [], (web) => {
  test("has the search, the count, the filters and whole books above the fold of a phone", async () => {
    const page = await web.open("/?q=la&language=spa", { viewport: PHONE });
    await page.locator(".book-row").nth(1).waitFor();
    for (const part of ["input[name=q]", ".toolbar-count", ".facets-toggle", ".book-row >> nth=1"]) {
      const box = (await page.locator(part).boundingBox())!;
      expect([part, box.y >= 0 && box.y + box.height <= PHONE.height]).toEqual([part, true]);
    }
    expect(await page.innerText(".facets-toggle")).toBe("Filters (1)");
    await web.close(page);
  });

  test("keeps the bar of a phone in view while the list is scrolled, and shows the filters from there", async () => {
    const page = await web.open("/?q=la&language=spa", { viewport: PHONE });
    await page.locator(".book-row").first().waitFor();
    await page.evaluate("scrollTo(0, 2500)");
    await waitFor("the bar is at the top", async () => {
      const box = await page.locator("input[name=q]").boundingBox();
      return box !== null && box.y >= 0 && box.y < 60;
    });
    await page.getByRole("button", { name: "Filters (1)" }).click();
    await waitFor("the filters are below the bar", async () => {
      const box = await page.locator("#facet-language").boundingBox();
      return box !== null && box.y > 60 && box.y < PHONE.height / 2;
    });
    await web.close(page);
  });

  test("shows the facts and the availability of a book in full on a phone, also in Spanish", async () => {
    const storage = { "colophon.language": "spa" };
    const page = await web.open("/?q=de", { viewport: PHONE, storage });
    await page.locator(".book-row-availability").first().waitFor();
    const cut = new Set<string>();
    let rows = 0;
    for (let scrolled = 0; scrolled < 4000; scrolled += 800) {
      await page.evaluate(`scrollTo(0, ${scrolled})`);
      await page.evaluate(TWO_FRAMES);
      for (const text of await page.evaluate<string[]>(CUT_TEXTS)) cut.add(text);
      rows += await page.locator(".book-row").count();
    }
    expect(rows).toBeGreaterThan(30);
    expect([...cut]).toEqual([]);
    await web.close(page);
  });

  test("shows the price in the currency of the filter, and marks volumes by their numbers", async () => {
    const page = await web.open("/imprints");
    await page.route("**/api/search?*", async (route) => {
      const response = await route.fetch();
      const books = await response.json();
      const inPounds = (price: object) => ({ ...price, amount: "7.99", currency: "GBP" });
      await route.fulfill({
        response,
        json: books.map((book: { prices: readonly object[] }) => ({
          ...book,
          partNumber: "7",
          prices: [...book.prices.map(inPounds), ...book.prices],
        })),
      });
    });
    const priceOf = () => page.locator(".book-row-price").first().innerText();
    await page.goto(`${web.server.url}/?language=spa&form=BC`);
    await page.locator(".book-row-price").first().waitFor();
    expect(await priceOf()).toBe("£7.99");
    // Volumes of a work have the same title.
    await page
      .getByLabel(/^Mark .+, 7$/)
      .first()
      .waitFor();
    await page.goto(`${web.server.url}/?language=spa&form=BC&price=EUR+10`);
    await page.locator(".book-row-price").first().waitFor();
    expect(await priceOf()).toMatch(/^€1\d\.\d\d$/);
    await web.close(page);
  });

  test("keeps the filters of a phone open for several choices, until they are closed", async () => {
    const page = await web.open("/", { viewport: PHONE });
    await page.locator(".facets-toggle").click();
    for (const [facet, value] of [
      ["language", "Spanish"],
      ["form", "Paperback"],
      ["language", "French"],
    ]) {
      const link = page.locator(`#facet-${facet} + ul a`, { hasText: value! });
      await link.click();
      await link.and(page.locator("[aria-current]")).waitFor();
      await page.locator(".facet-list[aria-busy=false]").waitFor();
      expect(await page.getAttribute(".facets-toggle", "aria-expanded")).toBe("true");
      // The next choice is where the person looks.
      const box = (await link.boundingBox())!;
      expect([value, box.y > 60 && box.y < PHONE.height]).toEqual([value, true]);
    }
    const count = await page.innerText(".toolbar-count");
    const done = page.getByRole("button", { name: `Show ${count}`, exact: true });
    const box = (await done.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(PHONE.height);
    await expectNoViolations(page);
    await done.click();
    await page.locator("#facets").waitFor({ state: "hidden" });
    await page.locator(".book-row").first().waitFor();
    const first = (await page.locator(".book-row").first().boundingBox())!;
    expect([first.y > 60, first.y < PHONE.height / 2]).toEqual([true, true]);
    // Another query shows its books.
    await page.locator(".facets-toggle").click();
    await page.fill("input[name=q]", "la");
    await page.locator("#facets").waitFor({ state: "hidden" });
    await web.close(page);
  });

  test("keeps the filters of a wide window in view while the list is scrolled", async () => {
    const page = await web.open("/?language=spa");
    await page.locator(".facet a").first().waitFor();
    await page.evaluate("scrollTo(0, 3000)");
    await waitFor("the first filter is at the top", async () => {
      const box = await page.locator("#facet-language").boundingBox();
      return box !== null && box.y >= 0 && box.y < 100;
    });
    await web.close(page);
  });

  test("takes several values of a filter, and removes one of them", async () => {
    const page = await web.open("/?q=la");
    await page.locator("#facet-language + ul a").first().click();
    await page.waitForURL(/language=spa$/);
    await page.locator("#facet-language + ul a", { hasText: "French" }).click();
    await page.waitForURL(/language=spa&language=fre$/);
    await page.locator("#facet-language + ul a[aria-current]").nth(1).waitFor();
    const both = await countOf(page);
    await page.getByRole("link", { name: "Remove the filter Language Spanish" }).click();
    await page.waitForURL(/[?&]language=fre$/);
    await page
      .getByRole("link", { name: "Remove the filter Language Spanish" })
      .waitFor({ state: "detached" });
    expect(await countOf(page)).toBeLessThan(both);
    await web.close(page);
  });

  test("keeps the focus of the keyboard when what had it is gone", async () => {
    const page = await web.open("/?q=la&language=spa");
    const focused = () =>
      page.evaluate<string>("document.activeElement.id || document.activeElement.className");
    await page.locator(".filter-chip").press("Enter");
    await page.locator(".filter-chip").waitFor({ state: "detached" });
    expect(await focused()).toBe("content");
    await page.setViewportSize(PHONE);
    await page.locator(".facets-toggle").press("Enter");
    await page.getByRole("button", { name: "Show 132 books" }).press("Enter");
    await page.locator(".facets-toggle[aria-expanded=false]").waitFor();
    expect(await focused()).toContain("facets-toggle");
    await web.close(page);
  });

  test("shows editions of a work as one row, with the forms of the others", async () => {
    const page = await web.open("/?q=ingenioso+hidalgo");
    const other = page.locator(".book-row-editions a").first();
    await other.waitFor();
    const href = await other.getAttribute("href");
    expect(await page.locator(`.book-row h3 a[href="${href}"]`).count()).toBe(0);
    expect(await other.innerText()).toMatch(/[a-z]{4}/);
    await other.click();
    await page.waitForURL(href!);
    await web.close(page);
  });

  test("shows rows before the forms of other editions, which move nothing and keep a longer list", async () => {
    const page = await web.open("/imprints", { viewport: PHONE });
    await page.addInitScript({ content: SHIFTS });
    const held = Promise.withResolvers<void>();
    await page.route("**/api/isbns/*", async (route) => {
      await held.promise;
      await route.continue();
    });
    // The first page has a work with two editions, the second one another book.
    await page.route("**/api/search?*", (route) =>
      route.continue({ url: route.request().url().replace("limit=50", "limit=2") }),
    );
    await page.goto(`${web.server.url}/?q=ingenioso+hidalgo`);
    const rows = page.locator(".book-row");
    await rows.nth(1).waitFor();
    const editions = page.locator(".book-row-editions");
    expect(await editions.innerText()).toBe("");
    const boxes = () =>
      page.evaluate(`[...document.querySelectorAll(".book-row :is(h3, p, .book-row-trade)")]
      .map((part) => JSON.stringify(part.getBoundingClientRect()))`);
    const before = await boxes();
    held.resolve();
    await editions.getByRole("link").first().waitFor();
    expect(await boxes()).toEqual(before);
    expect(await rows.count()).toBe(2);
    expect(await page.evaluate<string[]>("shifts")).toEqual([]);
    await web.close(page);
  });

  test("names a form that several editions have once, with their number", async () => {
    const page = await web.open("/imprints");
    await page.route("**/api/isbns/*", async (route) => {
      const response = await route.fetch();
      const [edition] = await response.json();
      await route.fulfill({ response, json: [edition, { ...edition, isbn: "9780000000002" }] });
    });
    await page.route("**/api/search?*", async (route) => {
      const response = await route.fetch();
      const [work, ...others] = await response.json();
      const editions = [...work.editions, "9780000000002"];
      await route.fulfill({ response, json: [{ ...work, editions }, ...others] });
    });
    await page.goto(`${web.server.url}/?q=ingenioso+hidalgo`);
    await page.getByText(/^Also as \D+ \(2\)$/).waitFor();
    expect(await page.locator(".book-row-editions a").count()).toBe(1);
    await web.close(page);
  });

  test("prints all books that are loaded, without controls", async () => {
    const page = await web.open("/?language=spa");
    await page.locator(".book-row").first().waitFor();
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.locator(".book-row").nth(49).waitFor();
    for (const hidden of ["input[name=q]", ".facets", ".toolbar-sort", ".book-row-mark input"])
      expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
    const [first, second] = await Promise.all(
      [0, 1].map((at) => page.locator(".book-row").nth(at).boundingBox()),
    );
    expect(second!.y).toBeGreaterThanOrEqual(first!.y + first!.height);
    await web.close(page);
  });

  test("says which query was used instead of one that finds nothing, and marks its words", async () => {
    const page = await web.open("/?q=don+quijtoe+mancha");
    await page.getByText("These are the results for “don quijote mancha”.").waitFor();
    await page.locator(".book-row mark").first().waitFor();
    const row = page.locator(".book-row", { hasText: "El ingenioso hidalgo" });
    expect(await row.locator("h3 mark").allInnerTexts()).toEqual(["don", "Quijote", "Mancha"]);
    await page.locator(".facet-count").first().waitFor();
    await expectNoViolations(page);
    await page.goto(`${web.server.url}/?q=shakesp`);
    await page.locator(".book-row-authors mark", { hasText: "Shakespeare" }).first().waitFor();
    // The title does not have the word, and the description tells why the book is there.
    await page.goto(`${web.server.url}/?q=tempest+island`);
    await page.locator(".book-row-subtitle mark", { hasText: "island" }).first().waitFor();
    expect(await page.locator(".book-row h3 mark").allInnerTexts()).toEqual(["Tempest"]);
    await web.close(page);
  });

  test.each([
    ["/", PHONE, ["/news?", "search?from=", "search?sort=newest", "/facets"]],
    ["/", DESKTOP, ["/news?", "search?from=", "search?sort=newest", "/facets"]],
    ["/?q=la&language=spa", PHONE, ["/translations", "/imprints", "search?q=", "/facets"]],
    ["/?q=la", DESKTOP, ["search?q=", "/facets"]],
  ])(
    "moves nothing while %s loads in %j, in whatever order responses come",
    async (path, viewport, parts) => {
      const page = await web.open("/imprints", { viewport });
      await page.addInitScript({ content: SHIFTS });
      // Each part is the first one on a phone. A wide window has the same rules.
      for (const first of viewport === PHONE ? parts.keys() : [0, 1]) {
        const order = [...parts.slice(first), ...parts.slice(0, first)];
        await loadInOrder(page, web.server.url + path, order);
        expect([order, await page.evaluate<string[]>("shifts")]).toEqual([order, []]);
      }
      await web.close(page);
    },
  );

  test("moves nothing when the first shelf has no books", async () => {
    const page = await web.open("/imprints");
    await page.addInitScript({ content: SHIFTS });
    await page.route(/\/api\/news/, (route) =>
      route.continue({ url: `${route.request().url()}&date=99991231` }),
    );
    await loadInOrder(page, `${web.server.url}/`, [
      "/news?",
      "search?from=",
      "search?sort=newest",
      "/facets",
    ]);
    await page.locator("#shelf-forthcoming").waitFor();
    expect(await page.locator("#shelf-news").count()).toBe(0);
    expect(await page.evaluate<string[]>("shifts")).toEqual([]);
    await web.close(page);
  });

  test("moves nothing while pages of one row each fill the window, and loads each page once", async () => {
    const page = await web.open("/imprints");
    await page.addInitScript({ content: SHIFTS });
    const asked: string[] = [];
    await page.route(/\/api\/search\?.*q=la/, async (route) => {
      const url = route.request().url();
      asked.push(url);
      await Bun.sleep(60);
      await route.continue({ url: url.replace("limit=50", "limit=1") });
    });
    await page.goto(`${web.server.url}/?q=la`);
    await page.locator(".book-row").nth(8).waitFor();
    await page.waitForTimeout(300);
    expect(asked.filter((url, index) => asked.indexOf(url) !== index)).toEqual([]);
    expect(await page.evaluate<string[]>("shifts")).toEqual([]);
    await web.close(page);
  });

  test("has no accessibility violations on a phone in any state, in both themes", async () => {
    const page = await web.open("/", { viewport: PHONE });
    for (const [path, reach] of PHONE_STATES) {
      await page.goto(web.server.url + path);
      await reach(page);
      await expectNoViolations(page);
    }
    const release = await holdResponses(page);
    await page.goto(`${web.server.url}/?q=mar`);
    await page.locator(".row-skeleton").first().waitFor();
    await expectNoViolations(page);
    release();
    await page.locator(".book-row h3").first().waitFor();
    await waitFor("no skeleton is left", async () => (await page.locator(".skeleton").count()) === 0);
    await web.close(page);
  });
});

/** The states of the shelf, each with its path and what leads to it. The one that loads is tested beside them. */
const PHONE_STATES: readonly (readonly [path: string, reach: (page: Page) => Promise<void>])[] = [
  ["/?q=la", (page) => page.locator(".book-row").first().waitFor()],
  ["/?q=zzzzzz", (page) => page.getByRole("heading", { name: "No books found" }).waitFor()],
  ["/?q=%22open", (page) => page.getByText("A quotation mark is not closed.").waitFor()],
  ["/?form=none", (page) => page.getByText("a filter with a value that does not exist").waitFor()],
  [
    "/",
    async (page) => {
      await page.fill("input[name=q]", "shakes");
      await page.getByRole("option").first().waitFor();
    },
  ],
  [
    "/?q=shakespeare&language=eng",
    async (page) => {
      await page.locator(".book-row-mark input").first().check();
      await page.getByRole("button", { name: "Filters (1)" }).click();
      await page.locator(".facet a").first().waitFor();
      await page.getByRole("button", { name: "Export (1)" }).click();
    },
  ],
];

/** Returns the number of books that the page says, once it has them. */
async function countOf(page: Page): Promise<number> {
  await page.locator("[data-results][aria-busy=false]").waitFor();
  return Number.parseInt(await page.innerText(".toolbar-count"), 10);
}

/** Collects the layout shifts that no input has caused, with the elements that moved. */
const SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput && value > ${VISIBLE_SHIFT})
        shifts.push(value + " " + sources.map(({ node }) => node?.nodeName + "." + node?.className).join(", "));
  }).observe({ type: "layout-shift", buffered: true });
`;

/** Texts of rows that end with an ellipsis, and rows whose text reaches into their last line. */
const CUT_TEXTS = `[...document.querySelectorAll(".book-row")].flatMap((row) => {
  const parts = [...row.querySelectorAll(".book-row-facts, .book-row-availability")];
  const cut = parts.filter((part) => part.scrollHeight > part.clientHeight + 2);
  const [text, trade] = [row.children[1].lastElementChild, row.children[2]];
  if (text.getBoundingClientRect().bottom > trade.getBoundingClientRect().top + 1) cut.push(row);
  return cut.map((part) => part.innerText);
})`;

/** Loads a page. Each response is drawn before the next one may begin; facets are asked for after their books. */
async function loadInOrder(page: Page, url: string, parts: readonly string[]): Promise<void> {
  const gates = new Map(parts.map((part) => [part, Promise.withResolvers<void>()]));
  const asked = new Set<string>();
  await page.route("**/api/**", async (route) => {
    const part = parts.find((each) => route.request().url().includes(each));
    if (part !== undefined) asked.add(part);
    await gates.get(part ?? "")?.promise;
    await route.fallback();
  });
  await page.goto(url);
  await waitFor("the page has asked", () => asked.size >= parts.length - 1);
  for (const [part, { resolve }] of gates) {
    const response = asked.has(part) && page.waitForResponse((each) => each.url().includes(part));
    resolve();
    if (response) await (await response).finished();
    await page.evaluate(TWO_FRAMES);
  }
  await page.locator(".facet a").first().waitFor({ state: "attached" });
  await page.evaluate(TWO_FRAMES);
  await page.unrouteAll({ behavior: "wait" });
}

const TWO_FRAMES = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))";

/** Holds all responses of searches and facets until the returned function is called. */
async function holdResponses(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/api\/(search|facets)/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}
