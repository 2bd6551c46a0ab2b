/** What all pages share: their paths, their policy, consent to covers, and a proxy in front of them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { isProgramMissing } from "../../src/lib/testing/requirements.ts";
import type { RunningPathProxy } from "../path-proxies.ts";
import { describeInBrowser } from "./browser.ts";
import { feedOf, MARKUP_BOOK } from "./hostile-books.ts";
import { PREFIX, startPrefixProxy } from "./prefix-proxy.ts";

const COVER_HOST = "https://covers.test";
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

describeInBrowser("the pages", ["--workers", "2"], (web) => {
  beforeAll(async () => {
    await web.importFeed(feedOf([MARKUP_BOOK], "20260101"));
  });

  test.each("/ /?q=x /imprints /quality /imports /book/9788437604947 /book/84-376-0494-X".split(" "))(
    "%s is a page with a policy that allows nothing inline and no other origin but for images",
    async (path) => {
      const response = await fetch(web.server.url + path);
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      const policy = response.headers.get("content-security-policy")!;
      expect(policy.replace("img-src 'self' data: https:", "")).not.toMatch(/unsafe|https?:|\*/);
      expect(policy).toContain("default-src 'none'");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      const html = await response.text();
      expect(html).not.toMatch(/(src|href)="(\/|https?:)/);
      for (const [, url] of html.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]*)"/g))
        expect([url, (await fetch(new URL(url!, web.server.url + path))).status]).toEqual([url, 200]);
    },
  );

  test.each([
    "/imprints/",
    "/book",
    "/book/",
    "/book/x",
    "/book/9788437604947/x",
    "/page/",
    "/page/none.js",
    "/Quality",
  ])("%s is 404 as before", async (path) => {
    const response = await fetch(web.server.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ message: "Not Found" });
  });

  test("follows the settings of another tab, and does not bring back a token that it has just forgotten", async () => {
    const context = await web.browser.newContext();
    const [page, other] = [await context.newPage(), await context.newPage()];
    await page.goto(`${web.server.url}/`);
    await page.evaluate(`localStorage.setItem("colophon.token", "${web.server.token}")`);
    await other.goto(`${web.server.url}/`);
    await other.locator(".book-card").first().waitFor();
    await page.getByRole("button", { name: "Switch to the dark theme" }).click();
    await page.getByRole("button", { name: "Español" }).click();
    await other.locator("html[lang=es][data-theme=dark]").waitFor();
    await other.getByRole("button", { name: "Cambiar al tema claro" }).waitFor();
    await page.evaluate(
      `localStorage.setItem("colophon.token", "eyJ"); localStorage.removeItem("colophon.token")`,
    );
    await other.locator("#token").waitFor();
    expect(await page.evaluate("localStorage.getItem('colophon.token')")).toBeNull();
    // The page that the back button leaves cannot tell the one that comes back as it was left.
    await page.evaluate(`localStorage.setItem("colophon.language", "eng");
      localStorage.setItem("colophon.token", "${web.server.token}");
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));`);
    await page.locator("html[lang=en]").waitFor();
    await page.locator(".book-card").first().waitFor();
    await context.close();
  });

  test("a chunk is kept by browsers for good, and an entry is revalidated", async () => {
    const entry = await fetch(`${web.server.url}/page/app.js`);
    expect(entry.headers.get("cache-control")).toBe("no-cache");
    const etag = entry.headers.get("etag")!;
    const again = await fetch(`${web.server.url}/page/app.js`, { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
    const chunk = /chunk-\w+\.js/.exec(await entry.text())![0];
    const { headers } = await fetch(`${web.server.url}/page/${chunk}`);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  test("loads covers from other hosts after one click of consent, and never before", async () => {
    const page = await web.open("/?q=hostile");
    const requested = await answerCovers(page);
    await page.getByRole("button", { name: "Load covers" }).waitFor();
    // Even a script of the page could not load an image: the policy forbids it.
    const outcome = await page.evaluate(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve("loaded");
      image.onerror = () => resolve("refused");
      image.src = "${COVER_HOST}/other.jpg";
    })`);
    expect([outcome, requested]).toEqual(["refused", []]);
    web.violations.length = 0;
    await page.getByRole("button", { name: "Load covers" }).click();
    await coverIsLoaded(page);
    await page.reload();
    await coverIsLoaded(page);
    expect([...new Set(requested)]).toEqual([MARKUP_BOOK.cover!]);
    expect(web.violations.filter((each) => !each.startsWith(`requested ${COVER_HOST}`))).toEqual([]);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Load covers from other hosts").uncheck();
    await page.locator(".cover-title").waitFor();
    expect(await page.locator(".cover img").count()).toBe(0);
    await web.close(page);
  });

  test("remembers that a person keeps drawn covers", async () => {
    const page = await web.open("/?q=hostile");
    await page.getByRole("button", { name: "Keep them drawn" }).click();
    await page.reload();
    await page.locator(".cover-title").waitFor();
    expect(await page.locator(".consent").count()).toBe(0);
    await web.close(page);
  });

  test("takes a token with invisible characters, and asks again for one that was cut", async () => {
    const page = await web.open("/", { token: "" });
    const field = page.getByLabel("Bearer token");
    await field.fill(`${web.server.token!.slice(0, 40)}…`);
    await page.keyboard.press("Enter");
    await page.getByText("The service did not accept this token.").waitFor();
    await field.fill(`\u200b${web.server.token}\u200b`);
    await page.keyboard.press("Enter");
    await page.locator(".book-card").first().waitFor();
    await web.close(page);
  });

  test("forgets the token when a person wants it, and asks for another one", async () => {
    const page = await web.open("/imprints");
    await page.locator(".imprint").first().waitFor();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Forget the token" }).click();
    await page.getByLabel("Bearer token").waitFor();
    expect(await page.evaluate("localStorage.getItem('colophon.token')")).toBeNull();
    await web.close(page);
  });

  test("shows all pages in a browser that forbids storage", async () => {
    const page = await web.browser.newPage();
    await page.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(globalThis, name, { get() { throw new DOMException("", "SecurityError"); } });`);
    await page.goto(`${web.server.url}/imprints`);
    await page.getByLabel("Bearer token").fill(web.server.token!);
    await page.keyboard.press("Enter");
    await page.locator(".imprint").first().waitFor();
    await page.close();
  });

  test("asks for another token when that for the ONIX of a book is rejected, and goes on with it", async () => {
    const page = await web.open("/?q=hostile");
    await page.locator(".book-row h3 a").first().click();
    await page.locator("#source > details > summary").click();
    await page.route("**/api/isbn/*format=xml*", (route) => route.fulfill({ status: 401, body: "" }));
    await page.getByRole("button", { name: "ONIX", exact: true }).click();
    await page.getByText("The service did not accept this token.").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Open the catalog" }).click();
    await page.locator(".book-hero").waitFor();
    await web.close(page);
  });

  test("loads itself again, once, when a chunk belongs to an older version", async () => {
    const page = await web.open("/");
    await page.locator(".book-card").first().waitFor();
    let loads = 0;
    page.on("request", (request) => request.isNavigationRequest() && loads++);
    await page.route("**/page/chunk-*.js", (route) =>
      loads === 0 ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.getByRole("link", { name: "Imprints" }).click();
    await page.locator(".imprint").first().waitFor();
    expect(loads).toBe(1);
    await web.close(page);
  });

  describe.skipIf(isProgramMissing("nginx"))("behind nginx below a path (skipped without nginx)", () => {
    let proxy: RunningPathProxy;
    let base: string;

    beforeAll(async () => {
      ({ proxy, base } = await startPrefixProxy(web.server.url));
    });

    afterAll(() => proxy?.[Symbol.asyncDispose]());

    test("pages, links, searches and the back button stay below the path", async () => {
      const page = await web.open("/", { base });
      const paths: string[] = [];
      page.on("request", (request) => paths.push(new URL(request.url()).pathname));
      await page.locator(".shelf .book-card").first().click();
      await page.waitForURL(`${base}/book/*`);
      await page.reload();
      await page.locator("main h1, main h2").first().waitFor();
      await page.goBack();
      await page.locator(".shelf .book-card").first().waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("hostile");
      await page.getByText("1 book", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Imprints" }).click();
      await page.waitForURL(`${base}/imprints`);
      await page.locator(".imprint").first().waitFor();
      expect(paths.filter((path) => !path.startsWith(`${PREFIX}/`))).toEqual([]);
      await web.close(page);
    });
  });

  test("requests no other host, keeps to its policy and throws nothing", () => {
    const unexpected = web.violations.filter((each) => !each.includes(COVER_HOST));
    expect(unexpected).toEqual([]);
  });
});

/** The element is there before its image is requested. */
async function coverIsLoaded(page: Page): Promise<void> {
  await page.locator(".cover img").waitFor();
  await page.evaluate(`document.querySelector(".cover img").decode()`);
}

/** Answers requests to the host of covers, and returns their URLs. */
async function answerCovers(page: Page): Promise<string[]> {
  const requested: string[] = [];
  await page.route(`${COVER_HOST}/**`, (route) => {
    requested.push(route.request().url());
    return route.fulfill({ contentType: "image/gif", body: PIXEL });
  });
  return requested;
}
