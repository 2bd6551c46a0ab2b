/** The test page in a real browser, on the real program with the sample catalog. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { type Serving, serving, temporaryFolder } from "./process.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** In CI nothing is skipped: there, a missing browser is a failure. */
const missing = !process.env.CI && !existsSync(CHROMIUM);
/** For a browser on a machine that has a lot else to do. */
const WAIT = 180_000;
const VIEWPORT = { width: 1280, height: 1000 };

const ENDPOINTS: readonly (readonly [operation: string, answer: RegExp])[] = [
  ["Books-getBook", /"RecordReference": "97[89]\d{10}"/],
  ["Books-getBooks", /"RecordReference": "97[89]\d{10}"[\s\S]*"RecordReference": "97[89]\d{10}"/],
  ["Imprints-getBooksOfImprint", /"ImprintName"/],
  ["Imprints-getImprints", /"slug": "10-19"/],
  ["News-getNews", /"PublishingDate"/],
  ["Catalog-getSkus", /"97[89]\d{10}"/],
  ["Translations-getTranslations", /"product_forms"/],
];

describe.skipIf(missing)(`the test page (skipped where there is no ${CHROMIUM})`, () => {
  const folder = temporaryFolder();
  let server: Serving;
  let proxy: Bun.Server<undefined>;
  let browser: Browser;
  let page: Page;
  const trouble: string[] = [];

  beforeAll(async () => {
    server = await serving(["--sample", "--db", join(folder.path, "catalog.db")]);
    // A reverse proxy that has Colophon below a path, and passes on what stands behind it.
    proxy = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        if (!pathname.startsWith("/books/v1/")) return new Response("outside", { status: 404 });
        const headers = new Headers(request.headers);
        headers.set("accept-encoding", "identity");
        return fetch(server.url + pathname.slice("/books/v1".length) + search, { headers });
      },
    });
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    });
    page = await newPage(browser, [server.url, proxy.url.origin], trouble);
    await page.goto(`${server.url}/openapi.html`);
    await page.waitForSelector(".opblock");
  }, WAIT);

  afterAll(async () => {
    await browser?.close();
    proxy?.stop(true);
    await server?.stop();
    folder.remove();
  }, WAIT);

  test(
    "shows the endpoints by category, with parameters, examples and status codes",
    async () => {
      const tags = await page.locator(".opblock-tag a span").allTextContents();
      expect(tags).toEqual(["Books", "Imprints", "News", "Catalog", "Translations"]);
      expect(await page.locator(".opblock-summary-path").count()).toBe(7);
      await open(page, "Books-getBook");
      const block = page.locator("#operations-Books-getBook");
      expect(await block.locator("tr .parameters-col_name .parameter__name").first().innerText()).toContain(
        "isbn",
      );
      expect(await block.locator("input[placeholder]").inputValue()).toMatch(/^97[89]\d{10}$/);
      const codes = await block
        .locator(".responses-table:not(.live-responses-table) tr.response .response-col_status")
        .allInnerTexts();
      for (const code of ["200", "304", "400", "401", "404"])
        expect(codes.map((text) => text.trim())).toContain(code);
      await open(page, "Books-getBook");
    },
    WAIT,
  );

  test(
    "a request without a token is answered with 401, on the page",
    async () => {
      const { status, body } = await execute(page, "Catalog-getSkus");
      expect(status).toBe("401");
      expect(JSON.parse(body)).toMatchObject({ status: 401, message: "Unauthorized" });
    },
    WAIT,
  );

  test(
    "a token is pasted once, and goes with the requests of all seven endpoints",
    async () => {
      await page.fill("#token", `Bearer ${server.token}`);
      await page.click("#authorization button[type=submit]");
      expect(await page.inputValue("#token")).toBe(server.token!);
      expect(await page.innerText("#token-state")).toContain("sent with every request");
      // The forthcoming books of some years from now: an answer that a page shows in no time.
      await open(page, "News-getNews");
      await page.fill("#operations-News-getNews input[placeholder]", daysFromNow(1500));
      for (const [operation, answer] of ENDPOINTS) {
        const { status, body } = await execute(page, operation);
        expect([operation, status]).toEqual([operation, "200"]);
        expect(body).toMatch(answer);
        // An answer of many thousand coloured words that stays open makes whatever follows slow.
        await open(page, operation);
      }
    },
    WAIT,
  );

  test(
    "the answer on the page is the answer of the API",
    async () => {
      await open(page, "Books-getBook");
      const isbn = await page.locator("#operations-Books-getBook input[placeholder]").inputValue();
      const response = await fetch(`${server.url}/api/isbn/${isbn}`, {
        headers: { Authorization: `Bearer ${server.token}` },
      });
      const { body } = await execute(page, "Books-getBook");
      expect(JSON.parse(body)).toEqual(await response.json());
    },
    WAIT,
  );

  test(
    "fits a telephone, also with an answer on it",
    async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.locator("#operations-Books-getBook .live-responses-table").count()).toBe(1);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      await page.setViewportSize(VIEWPORT);
    },
    WAIT,
  );

  test(
    "a book that is not there is a 404, on the page",
    async () => {
      await page.fill("#operations-Books-getBook input[placeholder]", "9788400000004");
      const { status, body } = await execute(page, "Books-getBook");
      expect(status).toBe("404");
      expect(JSON.parse(body)).toMatchObject({ message: "Book not found" });
    },
    WAIT,
  );

  test(
    "the token survives a reload, until it is forgotten",
    async () => {
      await page.reload();
      await page.waitForSelector(".opblock");
      expect(await page.inputValue("#token")).toBe(server.token!);
      expect((await execute(page, "Catalog-getSkus")).status).toBe("200");
      await page.click("#forget");
      expect((await execute(page, "Catalog-getSkus")).status).toBe("401");
      await page.reload();
      await page.waitForSelector(".opblock");
      expect(await page.inputValue("#token")).toBe("");
    },
    WAIT,
  );

  test(
    "works below a path of a reverse proxy",
    async () => {
      const below = await newPage(browser, [proxy.url.origin], trouble);
      await below.goto(`${proxy.url.origin}/books/v1/openapi.html`);
      await below.waitForSelector(".opblock");
      await below.fill("#token", server.token!);
      await below.click("#authorization button[type=submit]");
      expect((await execute(below, "Imprints-getImprints")).status).toBe("200");
      expect(await below.innerText("#operations-Imprints-getImprints .request-url")).toContain(
        "/books/v1/api/imprints",
      );
      await below.close();
    },
    WAIT,
  );

  test("it asks no other host, breaks no rule of its own policy and throws nothing", () => {
    expect(trouble).toEqual([]);
  });

  test("its policy lets nothing in from outside", async () => {
    const { headers } = await fetch(`${server.url}/openapi.html`);
    const policy = headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
}

/** A page that writes down what it should not do. */
async function newPage(browser: Browser, hosts: readonly string[], trouble: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !hosts.some((host) => url.startsWith(`${host}/`)))
      trouble.push(`asked ${url}`);
  });
  page.on("pageerror", (error) => trouble.push(error.message));
  page.on("console", (message) => {
    // The browser's own word on a 401 and a 404, which are asked for here.
    if (message.type() === "error" && !/status of 40[14]/.test(message.text())) trouble.push(message.text());
  });
  return page;
}

/** Or closes it, where it is open. */
async function open(page: Page, operation: string): Promise<void> {
  await page.click(`#operations-${operation} .opblock-summary-control`);
}

/** Presses "Execute", and reads status and body of the answer off the page. */
async function execute(page: Page, operation: string): Promise<{ status: string; body: string }> {
  const block = page.locator(`#operations-${operation}`);
  if ((await block.locator("button.execute").count()) === 0) await open(page, operation);
  const before = await block.locator(".live-responses-table").count();
  if (before > 0) await block.locator("button.btn-clear").click();
  await block.locator("button.execute").click();
  const live = block.locator(".live-responses-table");
  await live.locator("tr.response .response-col_status").waitFor();
  const status = (await live.locator("tr.response .response-col_status").innerText()).trim().split(/\s/)[0]!;
  const body = await live
    .locator(".response-col_description .highlight-code code, .response-col_description pre code")
    .first()
    .textContent();
  return { status, body: body! };
}
