/** The page at /openapi.html in a real browser, served by the real program with the sample catalog. */

import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { isProgramMissing } from "../../src/lib/testing/requirements.ts";
import { fetchAs } from "../process.ts";
import { describeInBrowser, expectNoSidewaysScroll, expectNoViolations, PHONE } from "./browser.ts";
import { startPrefixProxy } from "./prefix-proxy.ts";

/** Matches while the page shows examples of the catalog. */
const CATALOG_EXAMPLES = 'body[data-examples="catalog"]';
const MAX_SHOWN_CHARS = 100_000;

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, unknown>>;
}

describeInBrowser("the OpenAPI page", [], (web) => {
  let page: Page;
  let operations: readonly Operation[];

  beforeAll(async () => {
    const { paths } = (await (await fetch(`${web.server.url}/openapi.json`)).json()) as {
      paths: Record<string, { get: Operation }>;
    };
    operations = Object.values(paths).map(({ get }) => get);
    page = await web.open("/openapi.html", { token: "", acceptDownloads: true });
    await page.waitForSelector(".endpoint");
  });

  const get = async (path: string) => await fetchAs(web.server.token, web.server.url + path);

  test("shows the links of the document as links", async () => {
    await page.locator('main p a[href="docs"] code').waitFor();
    expect(await page.innerText("main")).not.toContain("](");
  });

  test("shows the endpoints by category, with parameters, examples and status codes", async () => {
    expect(await page.locator(".category h2").allInnerTexts()).toEqual([
      ...new Set(operations.map(({ tags }) => tags[0]!).sort(byCategory(await page.innerText("main")))),
    ]);
    expect(await page.locator(".endpoint").count()).toBe(operations.length);
    const block = await expand(page, "getBook");
    expect(await block.locator(".parameter label code").allInnerTexts()).toContain("isbn");
    expect(await block.locator("#getBook-isbn").inputValue()).toMatch(/^97[89]\d{10}$/);
    expect(await block.locator(".response .code").first().innerText()).toContain('"RecordReference"');
    const { responses } = operations.find(({ operationId }) => operationId === "getBook")!;
    expect(await block.locator(".response > summary > .status").allInnerTexts()).toEqual(
      Object.keys(responses),
    );
    await block.locator(".response > summary", { hasText: "404" }).click();
    await block.getByText('"Book not found"').waitFor();
  });

  test("shows 401 for a request without a token", async () => {
    const { status, body } = await send(page, "getBook");
    expect(status).toBe("401 Unauthorized");
    expect(JSON.parse(body)).toMatchObject({ status: 401, message: "Unauthorized" });
  });

  test("sends a token that was pasted once with the requests of all endpoints, and shows what they respond", async () => {
    await authorize(page, ` Authorization: Bearer ${web.server.token}\n`);
    expect(await page.inputValue("#token")).toBe(web.server.token!);
    expect(await page.innerText("#token-state")).toContain("sent with every request");
    for (const { operationId } of operations) {
      const { status, body, url } = await send(page, operationId);
      expect([operationId, status]).toEqual([operationId, "200 OK"]);
      const sent = await (await get(url.slice(web.server.url.length))).text();
      // Only spaces are added: numbers, escapes and the order of members are shown as they were sent.
      const [whole, shown] = [sent, body].map((text) => text.replace(/\s/g, ""));
      if (sent.length <= MAX_SHOWN_CHARS) expect(shown).toBe(whole!);
      else expect(whole!.startsWith(shown!)).toBe(true);
    }
  });

  test("fills in the first books and the first imprint of the catalog, and no optional parameter", async () => {
    const skus = (await (await get("/api/skus?limit=2")).json()) as string[];
    const [imprint] = (await (await get("/api/imprints")).json()) as { slug: string }[];
    const expected: Readonly<Record<string, readonly string[]>> = {
      getBook: [skus[0]!],
      getBooks: [skus.join(",")],
      getBooksOfImprint: [imprint!.slug],
      searchBooks: [],
      getNews: [],
    };
    for (const [operation, values] of Object.entries(expected)) {
      const block = await expand(page, operation);
      const fields = await block.locator(".parameter .field").all();
      const filled = (await Promise.all(fields.map((field) => field.inputValue()))).filter(Boolean);
      expect([operation, ...filled]).toEqual([operation, ...values]);
    }
    const example = page.locator("#getBook .response .code").first();
    expect(await example.innerText()).toContain(`"RecordReference": "${skus[0]}"`);
  });

  test("sends values that are not valid and shows the errors of the API", async () => {
    await (await expand(page, "getNews")).locator("#getNews-date").fill("2026-07-01");
    const invalid = await send(page, "getNews");
    expect(invalid.status).toBe("400 Bad Request");
    expect(JSON.parse(invalid.body)).toMatchObject({ message: "Invalid date format" });
    await page.fill("#getBook-isbn", "9788400000004");
    const unknown = await send(page, "getBook");
    expect(unknown.status).toBe("404 Not Found");
    expect(JSON.parse(unknown.body)).toMatchObject({ message: "Book not found" });
    expect(await page.locator("#getBook .exchange .headers").textContent()).toContain("x-request-id");
  });

  test("names the parameter that needs a value, and sends nothing", async () => {
    await page.fill("#getBook-isbn", "");
    await page.locator("#getBook button[type=submit]").click();
    await page.locator("#getBook-isbn[aria-invalid=true]").waitFor();
    expect(await page.innerText("#getBook-isbn-about")).toContain("needs a value");
    expect(await page.evaluate("document.activeElement.id")).toBe("getBook-isbn");
    await page.fill("#getBook-isbn", "9788400000004");
  });

  test("offers CSV and XML as files", async () => {
    const [isbn] = (await (await get("/api/skus?limit=1")).json()) as string[];
    await page.fill("#getBook-isbn", isbn!);
    for (const format of ["csv", "xml"]) {
      await page.selectOption("#getBook-format", format);
      const { status, body } = await send(page, "getBook");
      const { name, content } = await download(page, "getBook");
      expect([status, name]).toEqual(["200 OK", `isbn-${isbn}.${format}`]);
      const file = await (await get(`/api/isbn/${isbn}?format=${format}`)).bytes();
      expect(content).toBe(Buffer.from(file).toString());
      // A text node has no byte order mark and no carriage return.
      expect(body.replace(/[\r\n]/g, "")).toBe(content.replace(/^\uFEFF|[\r\n]/g, ""));
    }
    await page.selectOption("#getBook-format", "");
  });

  test("cuts a response of several megabytes, and has the whole as a file", async () => {
    const [isbn] = (await (await get("/api/skus?limit=1")).json()) as string[];
    const record = await (await get(`/api/isbn/${isbn}`)).text();
    const count = Math.min(1000, Math.ceil(5_000_000 / record.length));
    await (await expand(page, "getBooks")).locator("#getBooks-isbns").fill(Array(count).fill(isbn).join(","));
    const { status, body } = await send(page, "getBooks");
    expect(status).toBe("200 OK");
    expect(await page.innerText("#getBooks .notice")).toContain("first 100,000 characters");
    expect(body.replace(/\s/g, "").length).toBeLessThanOrEqual(MAX_SHOWN_CHARS);
    const { content } = await download(page, "getBooks");
    expect(content).toBe(`[${Array(count).fill(record).join(",")}]`);
  });

  test("colours a short response, without an element for each token", async () => {
    const { body } = await send(page, "getBook");
    expect(body).toContain('"ProductIdentifier": [');
    expect(await page.evaluate("CSS.highlights.get('json-key').size")).toBeGreaterThan(20);
    expect(await page.locator("#getBook .exchange pre *").count()).toBe(0);
  });

  test.skipIf(isProgramMissing("curl"))(
    "has a curl command that gets the same response (skipped without curl)",
    async () => {
      const { body } = await send(page, "getBook");
      const command = await page.locator("#getBook .exchange .code").first().innerText();
      const { stdout } = Bun.spawnSync(["sh", "-c", `${command} --silent`]);
      expect(JSON.parse(stdout.toString())).toEqual(JSON.parse(body));
    },
  );

  test("shows the fields of a record with their code lists, each composite when it is opened", async () => {
    const section = page.locator("#record-schema");
    expect(await section.locator("li").count()).toBe(1);
    for (const component of ["Book", "ProductSupply", "SupplyDetail", "Price"])
      await section.locator(`details[data-component="${component}"] > summary`).first().click();
    await section.locator('details[data-component="Price"] > ul').waitFor();
    const texts = await section.locator('details[data-component="Price"] > ul > li').allInnerTexts();
    expect(texts.find((text) => text.startsWith("CurrencyCode"))).toContain("list 96");
    expect(texts.find((text) => text.startsWith("PriceAmount"))).toContain("decimal point");
  });

  test("has no violation of axe-core and no sideways scroll, with open endpoints and responses", async () => {
    await page.reload();
    await page.waitForSelector(CATALOG_EXAMPLES);
    await send(page, "getBook");
    await page.locator("#getBook .exchange .headers > summary").click();
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    await page.setViewportSize(PHONE);
    await expectNoViolations(page, ["light"]);
  });

  test("keeps the token across reloads until it is forgotten", async () => {
    await page.reload();
    await page.waitForSelector(CATALOG_EXAMPLES);
    expect(await page.inputValue("#token")).toBe(web.server.token!);
    expect((await send(page, "getSkus")).status).toBe("200 OK");
    await page.click("#forget");
    await page.waitForSelector('body[data-examples="document"]');
    expect((await send(page, "getSkus")).status).toBe("401 Unauthorized");
    await page.reload();
    await page.waitForSelector(".endpoint");
    expect(await page.inputValue("#token")).toBe("");
  });

  test("opens the endpoint of the address, and is used with the keyboard alone", async () => {
    const linked = await web.open("/openapi.html#/News/getNews");
    await linked.waitForSelector("#getNews-date");
    await linked.locator("#getSkus > summary").focus();
    await linked.keyboard.press("Enter");
    await linked.waitForSelector("#getSkus-limit");
    expect(linked.url()).toEndWith("#/Catalog/getSkus");
    await linked.keyboard.press("Tab");
    await linked.keyboard.type("3");
    await linked.keyboard.press("Enter");
    const response = await readResponse(linked.locator("#getSkus"));
    expect(JSON.parse(response.body)).toHaveLength(3);
    await web.close(linked);
  });

  test.skipIf(isProgramMissing("nginx"))(
    "works below a path of a reverse proxy (skipped without nginx)",
    async () => {
      // A request to Colophon itself, past the proxy, counts as a violation.
      const { proxy, base } = await startPrefixProxy(web.server.url);
      await using _ = proxy;
      const proxied = await web.open("/openapi.html", { base });
      await proxied.waitForSelector(CATALOG_EXAMPLES);
      const { status, url } = await send(proxied, "getImprints");
      expect([status, url]).toEqual(["200 OK", `${base}/api/imprints`]);
      await web.close(proxied);
    },
  );

  test("requests no other host, keeps to its content security policy and throws nothing", () => {
    expect(web.violations).toEqual([]);
  });
});

/** Orders categories by where the page names them. */
function byCategory(text: string): (a: string, b: string) => number {
  return (a, b) => text.indexOf(`\n${a}\n`) - text.indexOf(`\n${b}\n`);
}

/** Waits for the examples too: they change the values of parameters. */
async function authorize(page: Page, token: string): Promise<void> {
  await page.fill("#token", token);
  await page.click("#authorization button[type=submit]");
  await page.waitForSelector(CATALOG_EXAMPLES);
}

async function expand(page: Page, operation: string): Promise<Locator> {
  const block = page.locator(`#${operation}`);
  if (!(await block.locator("button[type=submit]").isVisible())) await block.locator("> summary").click();
  await block.locator("button[type=submit]").waitFor();
  return block;
}

interface ShownResponse {
  readonly status: string;
  readonly body: string;
  /** From the curl command. */
  readonly url: string;
}

/** Presses "Send" and reads the response from the page. The one before is gone as soon as the button is pressed. */
async function send(page: Page, operation: string): Promise<ShownResponse> {
  const block = await expand(page, operation);
  await block.locator("button[type=submit]").click();
  return await readResponse(block);
}

/** Waits for the link to the file: the whole response is there. */
async function readResponse(block: Locator): Promise<ShownResponse> {
  const shown = block.locator(".exchange");
  await shown.locator("a[download]").waitFor();
  const [status, command, body] = await Promise.all([
    shown.locator(".outcome .status").innerText(),
    shown.locator(".code pre").first().textContent(),
    shown.locator(".code pre").last().textContent(),
  ]);
  return { status, body: body!, url: /'(http[^']*)'$/.exec(command!)![1]! };
}

async function download(page: Page, operation: string): Promise<{ name: string; content: string }> {
  const started = page.waitForEvent("download");
  await page.locator(`#${operation} .exchange a[download]`).click();
  const file = await started;
  return { name: file.suggestedFilename(), content: readFileSync(await file.path(), "utf8") };
}
