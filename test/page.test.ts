/** The page at /openapi.html in a real browser, served by the real program with the sample catalog. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { isFileMissing } from "../src/lib/testing/requirements.ts";
import { type ServeProcess, startColophon, temporaryFolder } from "./process.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const isSkipped = isFileMissing(CHROMIUM);
/** The timeout of a test and of each step in it. Playwright's default, 30 s, is too short on a busy machine. */
const TIMEOUT_MS = 180_000;
const VIEWPORT = { width: 1280, height: 1000 };
const PHONE_VIEWPORT = { width: 390, height: 844 };

const OPERATIONS: readonly (readonly [operation: string, body: RegExp])[] = [
  ["Books-getBook", /"RecordReference": "97[89]\d{10}"/],
  ["Books-getBooks", /"RecordReference": "97[89]\d{10}"[\s\S]*"RecordReference": "97[89]\d{10}"/],
  ["Search-searchBooks", /"isbn": "97[89]\d{10}"/],
  ["Search-getFacets", /"counted": \d+/],
  ["Imprints-getBooksOfImprint", /"ImprintName"/],
  ["Imprints-getImprints", /"slug": "10-19"/],
  ["News-getNews", /"PublishingDate"/],
  ["Catalog-getSkus", /"97[89]\d{10}"/],
  ["Catalog-getChanges", /"change": "added"[\s\S]*"more": true/],
  ["Translations-getTranslations", /"product_forms"/],
];

/** Is there while the page shows examples of the catalog. */
const CATALOG_EXAMPLES = 'body[data-examples="catalog"]';

/** Operations with a short and with a long response body. */
const SHORT_OPERATION = "Books-getBook";
const LONG_OPERATION = "Translations-getTranslations";

describe.skipIf(isSkipped)(`the OpenAPI page (skipped without ${CHROMIUM})`, () => {
  const folder = temporaryFolder();
  let server: ServeProcess;
  let proxy: Bun.Server<undefined>;
  let browser: Browser;
  /** One page for all tests, in their order: loading it costs seconds of processor time. */
  let page: Page;
  const violations: string[] = [];
  /** The values that the page has filled in, by operation. */
  const filledIn = new Map<string, readonly string[]>();

  beforeAll(async () => {
    server = await startColophon(["--sample", "--db", join(folder.path, "catalog.db")]);
    // A reverse proxy that serves Colophon below a path and strips the path.
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
      timeout: TIMEOUT_MS,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    });
    page = await openPage(browser, server.url, "", violations);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await browser?.close();
    proxy?.stop(true);
    await server?.stop();
    folder.remove();
  }, TIMEOUT_MS);

  test(
    "shows the endpoints by category, with parameters, examples and status codes",
    async () => {
      const tags = await page.locator(".opblock-tag a span").allTextContents();
      expect(tags).toEqual(["Books", "Search", "Imprints", "News", "Catalog", "Translations"]);
      expect(await page.locator(".opblock-summary-path").count()).toBe(OPERATIONS.length);
      const block = await expand(page, "Books-getBook");
      const name = block.locator("tr .parameters-col_name .parameter__name").first();
      expect(await name.innerText()).toContain("isbn");
      expect(await block.locator("input[placeholder]").inputValue()).toMatch(/^97[89]\d{10}$/);
      const codes = await block
        .locator(".responses-table:not(.live-responses-table) tr.response .response-col_status")
        .allInnerTexts();
      for (const code of ["200", "304", "400", "401", "404"])
        expect(codes.map((text) => text.trim())).toContain(code);
    },
    TIMEOUT_MS,
  );

  test(
    "shows 401 for a request without a token",
    async () => {
      const { status, body } = await execute(page, "Books-getBook");
      expect(status).toBe("401");
      expect(JSON.parse(body)).toMatchObject({ status: 401, message: "Unauthorized" });
    },
    TIMEOUT_MS,
  );

  test(
    "sends a token that was pasted once with the requests of all endpoints",
    async () => {
      await authorize(page, `Bearer ${server.token}`);
      expect(await page.inputValue("#token")).toBe(server.token!);
      expect(await page.innerText("#token-state")).toContain("sent with every request");
      for (const [operation, expectedBody] of OPERATIONS) {
        // Each operation takes seconds. Search is like the others, and has tests of its own.
        if (operation.startsWith("Search-")) continue;
        filledIn.set(operation, await valuesOf(await expand(page, operation)));
        const { status, body } = await execute(page, operation);
        expect([operation, status]).toEqual([operation, "200"]);
        expect(body).toMatch(expectedBody);
        // Every operation that stays expanded slows down the next one. The next tests use these two.
        if (operation !== SHORT_OPERATION && operation !== LONG_OPERATION) await collapse(page, operation);
      }
    },
    TIMEOUT_MS,
  );

  test(
    "fills in the first books and the first imprint of the catalog, and no optional parameter",
    async () => {
      const headers = { Authorization: `Bearer ${server.token}` };
      const get = async <T>(path: string) =>
        (await (await fetch(server.url + path, { headers })).json()) as T;
      const skus = await get<string[]>("/api/skus?limit=2");
      const imprints = await get<{ slug: string }[]>("/api/imprints");
      expect(Object.fromEntries(filledIn)).toEqual({
        "Books-getBook": [skus[0]!],
        "Books-getBooks": [skus.join(",")],
        "Imprints-getBooksOfImprint": [imprints[0]!.slug],
        "Imprints-getImprints": [],
        "News-getNews": [],
        "Catalog-getSkus": [],
        "Catalog-getChanges": [],
        "Translations-getTranslations": [],
      });
      const example = page.locator(`#operations-${SHORT_OPERATION} .responses-table .example`).first();
      expect(await example.textContent()).toContain(`"RecordReference": "${skus[0]}"`);
    },
    TIMEOUT_MS,
  );

  test(
    "sends a date that is not valid and shows the 400 of the API",
    async () => {
      const block = await expand(page, "News-getNews");
      await block.locator('input[placeholder="date"]').fill("2026-07-01");
      const { status, body } = await execute(page, "News-getNews");
      expect(status).toBe("400");
      expect(JSON.parse(body)).toMatchObject({ message: "Invalid date format" });
      await collapse(page, "News-getNews");
    },
    TIMEOUT_MS,
  );

  test(
    "shows the fields of a record with their code lists, each composite when it is opened",
    async () => {
      const section = page.locator("#record-schema");
      const fields = section.locator("li");
      expect(await fields.count()).toBe(0);
      for (const component of ["Book", "ProductSupply", "SupplyDetail", "Price"]) {
        await section.locator(`details[data-component="${component}"] > summary`).first().click();
        await section.locator(`details[data-component="${component}"] > ul`).waitFor();
      }
      const texts = await section.locator('details[data-component="Price"] > ul > li').allInnerTexts();
      expect(texts.find((text) => text.startsWith("CurrencyCode"))).toContain("list 96");
      expect(texts.find((text) => text.startsWith("PriceAmount"))).toContain("decimal point");
      await section.locator('details[data-component="Book"] > summary').first().click();
    },
    TIMEOUT_MS,
  );

  test(
    "shows the API's response body, highlighted when it is short and plain when it is long",
    async () => {
      await authorize(page, server.token!);
      const headers = { Authorization: `Bearer ${server.token}` };
      const block = await expand(page, SHORT_OPERATION);
      const isbn = await block.locator("input[placeholder]").inputValue();
      for (const [operation, path, isHighlighted] of [
        [SHORT_OPERATION, `/api/isbn/${isbn}`, true],
        [LONG_OPERATION, "/api/translations", false],
      ] as const) {
        const { body, highlightedSpans } = await executeOnce(page, operation);
        expect(JSON.parse(body)).toEqual(await (await fetch(server.url + path, { headers })).json());
        expect([operation, highlightedSpans > 0]).toEqual([operation, isHighlighted]);
      }
    },
    TIMEOUT_MS,
  );

  test(
    "fits the width of a phone, also with a highlighted and a plain response body",
    async () => {
      await authorize(page, server.token!);
      await page.setViewportSize(PHONE_VIEWPORT);
      expect((await executeOnce(page, SHORT_OPERATION)).highlightedSpans).toBeGreaterThan(0);
      expect((await executeOnce(page, LONG_OPERATION)).highlightedSpans).toBe(0);
      const width = () => page.evaluate("document.documentElement.scrollWidth");
      expect(await width()).toBe(PHONE_VIEWPORT.width);
      await collapse(page, LONG_OPERATION);
      expect(await width()).toBe(PHONE_VIEWPORT.width);
      await page.setViewportSize(VIEWPORT);
    },
    TIMEOUT_MS,
  );

  test(
    "shows 404 for an unknown ISBN",
    async () => {
      await authorize(page, server.token!);
      const block = await expand(page, "Books-getBook");
      await block.locator("input[placeholder]").fill("9788400000004");
      const { status, body } = await execute(page, "Books-getBook");
      expect(status).toBe("404");
      expect(JSON.parse(body)).toMatchObject({ message: "Book not found" });
    },
    TIMEOUT_MS,
  );

  test(
    "keeps the token across reloads until it is forgotten",
    async () => {
      await authorize(page, server.token!);
      await reload(page);
      expect(await page.inputValue("#token")).toBe(server.token!);
      expect((await execute(page, "Catalog-getSkus")).status).toBe("200");
      await page.click("#forget");
      await page.waitForSelector('body[data-examples="document"]');
      expect((await execute(page, "Catalog-getSkus")).status).toBe("401");
      await reload(page);
      expect(await page.inputValue("#token")).toBe("");
    },
    TIMEOUT_MS,
  );

  test(
    "works below a path of a reverse proxy",
    async () => {
      // A request to Colophon itself, past the proxy, counts as a violation.
      const proxied = await openPage(browser, proxy.url.origin, "/books/v1", violations);
      await authorize(proxied, server.token!);
      expect((await execute(proxied, "Imprints-getImprints")).status).toBe("200");
      const url = await proxied.innerText("#operations-Imprints-getImprints .request-url");
      expect(url).toContain("/books/v1/api/imprints");
      await proxied.context().close();
    },
    TIMEOUT_MS,
  );

  test("requests no other host, keeps to its content security policy and throws nothing", () => {
    expect(violations).toEqual([]);
  });

  test("has a content security policy that allows no other origin", async () => {
    const { headers } = await fetch(`${server.url}/openapi.html`);
    const policy = headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});

/** Opens the page below `origin` and `path`. Adds to `violations` what the page must not do. */
async function openPage(browser: Browser, origin: string, path: string, violations: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !url.startsWith(`${origin}/`)) violations.push(`requested ${url}`);
  });
  page.on("pageerror", (error) => violations.push(error.message));
  page.on("console", (message) => {
    // The browser reports the 400, the 401 and the 404 that the tests provoke.
    if (message.type() === "error" && !/status of 40[014]/.test(message.text()))
      violations.push(message.text());
  });
  await page.goto(`${origin}${path}/openapi.html`);
  await page.waitForSelector(".opblock");
  return page;
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.waitForSelector(".opblock");
  if ((await page.inputValue("#token")) !== "") await page.waitForSelector(CATALOG_EXAMPLES);
}

/** Waits for the examples too: the page renders operations again when it has them. */
async function authorize(page: Page, token: string): Promise<void> {
  await page.fill("#token", token);
  await page.click("#authorization button[type=submit]");
  await page.waitForSelector(CATALOG_EXAMPLES);
}

async function expand(page: Page, operation: string): Promise<Locator> {
  const block = page.locator(`#operations-${operation}`);
  if ((await block.locator("button.execute").count()) === 0)
    await block.locator(".opblock-summary-control").click();
  await block.locator("button.execute").waitFor();
  return block;
}

/** Returns the values of the parameters that have one. */
async function valuesOf(block: Locator): Promise<readonly string[]> {
  const fields = await block.locator(".parameters input[placeholder], .parameters select").all();
  return (await Promise.all(fields.map((field) => field.inputValue()))).filter(Boolean);
}

async function collapse(page: Page, operation: string): Promise<void> {
  const block = page.locator(`#operations-${operation}`);
  await block.locator(".opblock-summary-control").click();
  await block.locator("button.execute").waitFor({ state: "detached" });
}

interface ShownResponse {
  readonly status: string;
  readonly body: string;
  readonly highlightedSpans: number;
}

/** Presses "Execute" and reads the response from the page. */
async function execute(page: Page, operation: string): Promise<ShownResponse> {
  const block = await expand(page, operation);
  const live = block.locator(".live-responses-table");
  if ((await live.count()) > 0) {
    await block.locator("button.btn-clear").click();
    await live.waitFor({ state: "detached" });
  }
  await block.locator("button.execute").click();
  return await readResponse(block);
}

/** Like `execute`, but reads the response that the page already shows. */
async function executeOnce(page: Page, operation: string): Promise<ShownResponse> {
  const block = await expand(page, operation);
  const isShown = (await block.locator(".live-responses-table").count()) > 0;
  return isShown ? await readResponse(block) : await execute(page, operation);
}

async function readResponse(block: Locator): Promise<ShownResponse> {
  const live = block.locator(".live-responses-table");
  const code = live.locator("tr.response .response-col_status");
  await code.waitFor();
  const status = (await code.innerText()).trim().split(/\s/)[0]!;
  const shown = live.locator(".response-col_description .highlight-code pre").first();
  const body = await shown.textContent();
  return { status, body: body!, highlightedSpans: await shown.locator("span[style]").count() };
}
