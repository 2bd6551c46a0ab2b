/** What the page does while the service does not respond, in Chromium. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser, expectNoViolations } from "./browser.ts";

const FIELD = "input[name=q]";
const LOST = "The service does not respond. What you see is from";

describeInBrowser("the page without its service", [], (web) => {
  /** From now on every connection is refused, those for whole pages too. */
  const stopService = (page: Page) => page.route("**/*", (route) => route.abort("connectionrefused"));
  const startService = (page: Page) => page.unroute("**/*");

  test("shows no count and no filters beside the error of a search, and recovers by itself", async () => {
    const page = await web.open("/?q=quijote");
    await page.locator(".facet a").first().waitFor();
    await page
      .getByText("1 book", { exact: true })
      .or(page.getByText(/^\d+ books$/))
      .waitFor();
    await stopService(page);
    await page.fill(FIELD, "shakespeare");
    await page.getByRole("alert").getByText("does not respond").waitFor();
    expect(await page.locator(".facet").count()).toBe(0);
    expect(await page.locator(".toolbar-count").innerText()).toBe("");
    await page.locator(".connection").getByText(LOST).waitFor();
    await page.locator("main[data-old]").waitFor();
    await expectNoViolations(page);
    // The message is shown for five seconds only.
    const told = page.locator(".toast", { hasText: "The service responds again." }).waitFor();
    await startService(page);
    await told;
    await page.locator(".toolbar-count", { hasText: "8 books" }).waitFor();
    await page.locator(".facet a").first().waitFor();
    expect(await page.locator(".connection p, main[data-old]").count()).toBe(0);
    await web.close(page);
  });

  test("keeps a list that is shown, and stays in the app when a menu entry is clicked", async () => {
    const page = await web.open("/?q=shakespeare");
    await page.locator(".toolbar-count", { hasText: "8 books" }).waitFor();
    await stopService(page);
    await page.getByRole("link", { name: "Docs", exact: true }).click();
    await page.locator(".connection").getByText(LOST).waitFor();
    expect(page.url()).toBe(`${web.server.url}/?q=shakespeare`);
    expect(await page.locator(".book-row").count()).toBe(8);
    // The list is longer than the window.
    const box = (await page.locator(".connection").boundingBox())!;
    expect(box.y + box.height).toBe(page.viewportSize()!.height);
    await page.getByRole("link", { name: "Imprints", exact: true }).click();
    await page.getByRole("alert").getByText("does not respond").waitFor();
    expect(page.url()).toBe(`${web.server.url}/imprints`);
    await page.goBack();
    await page.locator(".toolbar-count", { hasText: "8 books" }).waitFor();
    await page.goForward();
    await startService(page);
    await page.locator(".imprint").first().waitFor();
    await web.close(page);
  });

  test("asks once more when the browser is online again, and does not repeat that at once", async () => {
    const page = await web.open("/?q=shakespeare");
    await page.locator(".toolbar-count", { hasText: "8 books" }).waitFor();
    let requests = 0;
    await page.route("**/*", (route) => {
      requests++;
      return route.abort("connectionrefused");
    });
    await page.getByRole("link", { name: "Docs", exact: true }).click();
    await page.locator(".connection").getByText(LOST).waitFor();
    const before = requests;
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.waitForTimeout(1000);
    expect(requests - before).toBeGreaterThan(0);
    // The next attempts are seconds apart.
    expect(requests - before).toBeLessThan(8);
    await web.close(page);
  });

  test("tries again when another request succeeds before the paint of the error", async () => {
    const page = await web.open("/", { viewport: { width: 1280, height: 800 } });
    await page.clock.install();
    const { promise: isPaused, resolve: pause } = Promise.withResolvers<void>();
    const { promise: isDrawn, resolve: goOn } = Promise.withResolvers<void>();
    let attempts = 0;
    await page.route("**/api/imprints", async (route) => {
      attempts++;
      if (attempts > 3) return await route.continue();
      if (attempts === 3) {
        // No paint, and no effect after one.
        await page.clock.pauseAt(Date.now() + 60_000);
        pause();
      }
      await route.abort("connectionrefused");
    });
    await page.route("**/api/facets", async (route) => {
      await isDrawn;
      await route.continue();
    });
    await page.getByRole("link", { name: "Imprints", exact: true }).click();
    await isPaused;
    await page.getByRole("alert").waitFor({ state: "attached" });
    const response = page.waitForResponse("**/api/facets");
    goOn();
    await (await response).finished();
    await page.evaluate("0");
    await page.clock.resume();
    await page.locator(".imprint").first().waitFor();
    await page.close();
  });

  test("does not leave the app late, when somebody has gone elsewhere in it", async () => {
    const page = await web.open("/");
    await page.locator(".book-card").first().waitFor();
    const { promise: isElsewhere, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/api/skus?**", async (route) => {
      await isElsewhere;
      await route.continue();
    });
    await page.getByRole("link", { name: "Docs", exact: true }).click();
    await page.getByRole("link", { name: "Imprints", exact: true }).click();
    await page.locator(".imprint").first().waitFor();
    let hasLeft = false;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) hasLeft = true;
    });
    const response = page.waitForResponse("**/api/skus?**");
    goOn();
    await response;
    await page.waitForTimeout(500);
    expect(hasLeft).toBe(false);
    await web.close(page);
  });

  test("loads a book and its labels as soon as the service responds", async () => {
    const page = await web.open("/?q=shakespeare");
    await page.locator(".book-row h3 a").first().waitFor();
    // The page asks again by itself, too: only a click succeeds.
    await page.route("**/api/**", async (route) => {
      if (await page.evaluate("globalThis.wasClicked === true")) await route.continue();
      else await route.fulfill({ status: 502, body: "" });
    });
    await page.locator(".book-row h3 a").first().click();
    await page.locator(".connection").getByText(LOST).waitFor();
    await page.evaluate("addEventListener('click', () => { globalThis.wasClicked = true; }, true)");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.locator(".book-essentials").waitFor();
    await web.close(page);
  });
});
