/** The test page in a real browser, on the real program with the sample catalog. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { type ServeProcess, startColophon, temporaryFolder } from "./process.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** In CI nothing is skipped: there, a missing browser is a failure. */
const missing = !process.env.CI && !existsSync(CHROMIUM);
/** For a browser on a machine that has a lot else to do. */
const WAIT = 180_000;
/**
 * One run of CI failed because a step behind a reload took more than 30 seconds; 400 reloads on a busy machine did not
 * show why. So each test has a page of its own, and a second try, which Bun tells of.
 */
const IN_BROWSER = { timeout: WAIT, retry: 1 };
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
  let server: ServeProcess;
  let proxy: Bun.Server<undefined>;
  let browser: Browser;
  let page: Page;
  const trouble: string[] = [];

  beforeAll(async () => {
    server = await startColophon(["--sample", "--db", join(folder.path, "catalog.db")]);
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
  }, WAIT);

  afterAll(async () => {
    await browser?.close();
    proxy?.stop(true);
    await server?.stop();
    folder.remove();
  }, WAIT);

  describe("in a browser", () => {
    beforeEach(async () => {
      page = await newPage(browser, server.url, trouble);
      await show(page, `${server.url}/openapi.html`);
    }, WAIT);

    afterEach(async () => {
      await page.context().close();
    }, WAIT);

    test(
      "shows the endpoints by category, with parameters, examples and status codes",
      async () => {
        const tags = await page.locator(".opblock-tag a span").allTextContents();
        expect(tags).toEqual(["Books", "Imprints", "News", "Catalog", "Translations"]);
        expect(await page.locator(".opblock-summary-path").count()).toBe(7);
        const block = await opened(page, "Books-getBook");
        expect(await block.locator("tr .parameters-col_name .parameter__name").first().innerText()).toContain(
          "isbn",
        );
        expect(await block.locator("input[placeholder]").inputValue()).toMatch(/^97[89]\d{10}$/);
        const codes = await block
          .locator(".responses-table:not(.live-responses-table) tr.response .response-col_status")
          .allInnerTexts();
        for (const code of ["200", "304", "400", "401", "404"])
          expect(codes.map((text) => text.trim())).toContain(code);
      },
      IN_BROWSER,
    );

    test(
      "a request without a token is answered with 401, on the page",
      async () => {
        const { status, body } = await execute(page, "Catalog-getSkus");
        expect(status).toBe("401");
        expect(JSON.parse(body)).toMatchObject({ status: 401, message: "Unauthorized" });
      },
      IN_BROWSER,
    );

    test(
      "a token is pasted once, and goes with the requests of all seven endpoints",
      async () => {
        await authorize(page, `Bearer ${server.token}`);
        expect(await page.inputValue("#token")).toBe(server.token!);
        expect(await page.innerText("#token-state")).toContain("sent with every request");
        for (const [operation, answer] of ENDPOINTS) {
          const { status, body } = await execute(page, operation);
          expect([operation, status]).toEqual([operation, "200"]);
          expect(body).toMatch(answer);
        }
      },
      IN_BROWSER,
    );

    test(
      "the answer on the page is the answer of the API, coloured or, where it is long, plain",
      async () => {
        await authorize(page, server.token!);
        const headers = { Authorization: `Bearer ${server.token}` };
        const block = await opened(page, "Books-getBook");
        const isbn = await block.locator("input[placeholder]").inputValue();
        for (const [operation, path, isColoured] of [
          ["Books-getBook", `/api/isbn/${isbn}`, true],
          ["Translations-getTranslations", "/api/translations", false],
        ] as const) {
          const { body, colours } = await execute(page, operation);
          expect(JSON.parse(body)).toEqual(await (await fetch(server.url + path, { headers })).json());
          expect([operation, colours > 0]).toEqual([operation, isColoured]);
        }
      },
      IN_BROWSER,
    );

    test(
      "fits a telephone, also with an answer on it",
      async () => {
        await page.setViewportSize({ width: 390, height: 844 });
        await authorize(page, server.token!);
        expect((await execute(page, "Books-getBook")).status).toBe("200");
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
        // Without colours, too.
        expect((await execute(page, "Translations-getTranslations")).colours).toBe(0);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      },
      IN_BROWSER,
    );

    test(
      "a book that is not there is a 404, on the page",
      async () => {
        await authorize(page, server.token!);
        const block = await opened(page, "Books-getBook");
        await block.locator("input[placeholder]").fill("9788400000004");
        const { status, body } = await execute(page, "Books-getBook");
        expect(status).toBe("404");
        expect(JSON.parse(body)).toMatchObject({ message: "Book not found" });
      },
      IN_BROWSER,
    );

    test(
      "the token survives a reload, until it is forgotten",
      async () => {
        await authorize(page, server.token!);
        await reload(page);
        expect(await page.inputValue("#token")).toBe(server.token!);
        expect((await execute(page, "Catalog-getSkus")).status).toBe("200");
        await page.click("#forget");
        expect((await execute(page, "Catalog-getSkus")).status).toBe("401");
        await reload(page);
        expect(await page.inputValue("#token")).toBe("");
      },
      IN_BROWSER,
    );

    test(
      "works below a path of a reverse proxy",
      async () => {
        // It asks the proxy for everything: what it asked of Colophon itself would be trouble.
        const below = await newPage(browser, proxy.url.origin, trouble);
        await show(below, `${proxy.url.origin}/books/v1/openapi.html`);
        await authorize(below, server.token!);
        expect((await execute(below, "Imprints-getImprints")).status).toBe("200");
        expect(await below.innerText("#operations-Imprints-getImprints .request-url")).toContain(
          "/books/v1/api/imprints",
        );
        await below.context().close();
      },
      IN_BROWSER,
    );
  });

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

/** A page that writes down what it should not do. */
async function newPage(browser: Browser, host: string, trouble: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !url.startsWith(`${host}/`)) trouble.push(`asked ${url}`);
  });
  page.on("pageerror", (error) => trouble.push(error.message));
  page.on("console", (message) => {
    // The browser's own word on a 401 and a 404, which are asked for here.
    if (message.type() === "error" && !/status of 40[14]/.test(message.text())) trouble.push(message.text());
  });
  return page;
}

async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector(".opblock");
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.waitForSelector(".opblock");
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.fill("#token", token);
  await page.click("#authorization button[type=submit]");
}

async function opened(page: Page, operation: string): Promise<Locator> {
  const block = page.locator(`#operations-${operation}`);
  if ((await block.locator("button.execute").count()) === 0)
    await block.locator(".opblock-summary-control").click();
  await block.locator("button.execute").waitFor();
  return block;
}

/** Presses "Execute", and reads the answer off the page. */
async function execute(
  page: Page,
  operation: string,
): Promise<{ status: string; body: string; colours: number }> {
  const block = await opened(page, operation);
  const live = block.locator(".live-responses-table");
  if ((await live.count()) > 0) await block.locator("button.btn-clear").click();
  await block.locator("button.execute").click();
  const code = live.locator("tr.response .response-col_status");
  await code.waitFor();
  const status = (await code.innerText()).trim().split(/\s/)[0]!;
  const shown = live.locator(".response-col_description .highlight-code pre").first();
  const body = await shown.textContent();
  return { status, body: body!, colours: await shown.locator("span[style]").count() };
}
