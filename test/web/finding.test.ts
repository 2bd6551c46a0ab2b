/** Finding a book in Chromium: what stands above the fold, what stays in view, and what moves while the page loads. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { DESKTOP, describeInBrowser, expectNoViolations, PHONE, TIMEOUT_MS } from "./browser.ts";

setDefaultTimeout(TIMEOUT_MS);

const MAX_LAYOUT_SHIFT = 0.02;

describeInBrowser("finding a book", [], (web) => {
  test("has the search, the count, the filters and whole books above the fold of a phone", async () => {
    const page = await web.open("/?q=la&language=spa", { viewport: PHONE });
    await page.locator(".book-row").nth(1).waitFor();
    for (const part of ["input[name=q]", ".toolbar-count", ".facets-toggle", ".book-row >> nth=1"]) {
      const box = (await page.locator(part).boundingBox())!;
      expect([part, box.y >= 0 && box.y + box.height <= PHONE.height]).toEqual([part, true]);
    }
    expect(await page.innerText(".facets-toggle")).toBe("Filters (1)");
    await page.context().close();
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
    await page.context().close();
  });

  test("keeps the filters of a wide window in view while the list is scrolled", async () => {
    const page = await web.open("/?language=spa");
    await page.locator(".facet").first().waitFor();
    await page.evaluate("scrollTo(0, 3000)");
    await waitFor("the first filter is at the top", async () => {
      const box = await page.locator("#facet-language").boundingBox();
      return box !== null && box.y >= 0 && box.y < 100;
    });
    await page.context().close();
  });

  test.each([
    ["/", DESKTOP, ".shelf .book-card"],
    ["/", PHONE, ".shelf .book-card"],
    ["/?q=la", DESKTOP, ".book-row"],
  ])("moves nothing while %s loads in %j", async (path, viewport, part) => {
    const page = await web.open("/imprints", { viewport });
    await page.addInitScript({ content: SHIFTS });
    // Late responses leave time to see what they move.
    await page.route("**/api/**", async (route) => {
      await Bun.sleep(200);
      await route.continue();
    });
    await page.goto(web.server.url + path);
    await page.locator(part).first().waitFor();
    await page.locator(".facet a").first().waitFor({ state: "attached" });
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate<number>("shifts")).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
    await page.context().close();
  });

  test("has no accessibility violations on a phone while it loads, without results, and after an error", async () => {
    const page = await web.open("/?q=la", { viewport: PHONE });
    await page.locator(".book-row").first().waitFor();
    await expectNoViolations(page);
    await page.goto(`${web.server.url}/?q=zzzzzz`);
    await page.getByRole("heading", { name: "No books found" }).waitFor();
    await expectNoViolations(page);
    await page.goto(`${web.server.url}/?q=%22open`);
    await page.getByText("A quotation mark is not closed.").waitFor();
    await expectNoViolations(page);
    const release = await holdResponses(page);
    await page.goto(`${web.server.url}/?q=mar`);
    await page.locator(".row-skeleton").first().waitFor();
    await expectNoViolations(page);
    release();
    await page.locator(".book-row h3").first().waitFor();
    await waitFor("no skeleton is left", async () => (await page.locator(".skeleton").count()) === 0);
    await page.context().close();
  });
});

/** Adds up the layout shifts that no input has caused. */
const SHIFTS = `
  globalThis.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
`;

/** Holds all responses of searches and facets until the returned function is called. */
async function holdResponses(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/api\/(search|facets)/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}
