/**
 * The documentation, the page of a 404, the page of `check --html` and a page with the client in a real browser, and
 * the files that browsers and robots look for.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProgramMissing } from "../../src/lib/testing/requirements.ts";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { completeProduct } from "../../src/onix/check/testing/complete-product.ts";
import { message } from "../../src/onix/testing/message.ts";
import { bundle } from "../client/bundle.ts";
import { scenario } from "../client/scenario.ts";
import { colophon, fetchAs, temporaryFolder } from "../process.ts";
import { describeInBrowser, expectNoSidewaysScroll, expectNoViolations, PHONE } from "./browser.ts";
import { startPrefixProxy } from "./prefix-proxy.ts";

describeInBrowser("pages beside the app", [], (web) => {
  test.skipIf(isProgramMissing("nginx"))(
    "a browser at an unknown path below a path prefix gets a page that leads to the catalog (skipped without nginx)",
    async () => {
      const { proxy, base } = await startPrefixProxy(web.server.url);
      await using _ = proxy;
      const page = await web.open("/no/such/page", { base });
      expect(await page.title()).toBe("Not Found · Colophon");
      // The script of the header has run, so its files were found from here.
      await page.getByRole("button", { name: /theme/ }).waitFor();
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
      await page.locator("main a").first().click();
      await page.waitForURL(`${base}/`);
      await page.getByRole("searchbox").waitFor();
      await web.close(page);
    },
  );

  test.each(["/docs", "/docs/record"])(
    "%s has no violation of axe-core and no sideways scroll",
    async (path) => {
      const page = await web.open(path);
      await page.getByRole("button", { name: /theme/ }).click();
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
      await page.getByRole("button", { name: /theme/ }).click();
      await page.evaluate("localStorage.removeItem('colophon.theme')");
      await page.reload();
      await page.getByRole("button", { name: /theme/ }).waitFor();
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
      await web.close(page);
    },
  );

  test("examples have the visited host and a book of this catalog, can be copied, and are answered with 200", async () => {
    const page = await web.open("/docs/formats", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator(".docs-note").waitFor();
    const block = page.locator(".code-frame", { hasText: "shorttags=true" });
    // The button says so for two seconds only.
    const told = block.getByRole("button", { name: "Copied" }).waitFor();
    await block.getByRole("button", { name: "Copy" }).click();
    await told;
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    const urls = [...copied.matchAll(/"(http[^"]+)"/g)].map(([, url]) => url!);
    expect(urls.length).toBeGreaterThan(1);
    for (const url of urls) {
      expect(url).toStartWith(`${web.server.url}/api/`);
      expect((await fetchAs(web.server.token, url)).status).toBe(200);
    }
    expect(await block.locator(".code-string").count()).toBeGreaterThan(1);
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    const next = page.locator('.neighbours a[rel="next"]');
    const url = await next.evaluate<string, { href: string }>((link) => link.href);
    await next.click();
    await page.waitForURL(url);
    expect(await page.locator('.neighbours a[rel="prev"]').innerText()).toStartWith("Previous: ");
    await web.close(page);
  });

  test("a copy button that is pressed twice has its name again afterwards", async () => {
    const page = await web.open("/docs/formats", { permissions: ["clipboard-read", "clipboard-write"] });
    const button = page.locator(".code-frame .copy").first();
    await button.waitFor();
    // Time stands still until both clicks are told.
    await page.evaluate(`globalThis.timers = [];
      const later = globalThis.setTimeout;
      globalThis.setTimeout = (run, ms) => (ms === 2000 ? timers.push(run) : later(run, ms));`);
    for (const clicks of [1, 2]) {
      await button.click();
      await waitFor(
        `click ${clicks} is told`,
        async () => (await page.evaluate<number>("timers.length")) === clicks,
      );
    }
    await page.evaluate("for (const run of timers) run()");
    expect(await button.innerText()).toBe("Copy");
    await web.close(page);
  });

  test.each(["/docs/record", "/openapi.html"])(
    "%s has the switch for the language, and says in Spanish that its texts are in English",
    async (path) => {
      const page = await web.open(path);
      await page.getByRole("button", { name: "Español" }).click();
      await page.getByText("Los textos de esta página están en inglés.").waitFor();
      expect(await page.locator(".site-nav a").first().innerText()).toBe("Estantería");
      if (path === "/openapi.html") {
        await page.locator("#getBook summary").first().click();
        await page.locator("#getBook").getByRole("button", { name: "Enviar" }).waitFor();
        await page.getByRole("heading", { name: "Campos de un registro" }).waitFor();
      }
      await expectNoViolations(page, ["light"]);
      await page.reload();
      await page.getByRole("button", { name: "English" }).click();
      expect(await page.locator(".site-note").count()).toBe(0);
      await web.close(page);
    },
  );

  test("the page of check --html shows the scores and loads nothing", async () => {
    const folder = temporaryFolder();
    const write = (name: string, product: string) => {
      writeFileSync(join(folder, name), message(product));
      return join(folder, name);
    };
    const price = "<PriceAmount>9,90</PriceAmount><CurrencyCode>EUR</CurrencyCode>";
    const faulty = write("faulty.xml", completeProduct({ collateral: "", price }));
    const contributor = "<Bad>&lt;script&gt;document.title='run'&lt;/script&gt;</Bad>";
    const hostile = write("hostile.xml", completeProduct({ contributor }));
    const path = join(folder, "page.html");
    const db = join(folder, "none.db");
    expect((await colophon(["check", "--db", db, "--html", path, faulty, hostile])).code).toBe(0);
    const page = await web.browser.newPage({ viewport: PHONE });
    const requests: string[] = [];
    const messages: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (line) => messages.push(line.text()));
    await page.goto(`file://${path}`);
    expect([requests, messages]).toEqual([[`file://${path}`], []]);
    expect(await page.title()).toBe("Quality of 2 feeds");
    expect(await page.locator("svg.ring text").allTextContents()).toEqual(["70", "54", "86"]);
    await expectNoSidewaysScroll(page);
    await page.close();
  });

  test("the client does the same in a page of another origin as in Bun", async () => {
    const script = await bundle("test/client/scenario.ts");
    using origin = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) =>
        url.endsWith(".js")
          ? new Response(script, { headers: { "Content-Type": "text/javascript" } })
          : new Response("<!doctype html><title>client</title>", {
              headers: { "Content-Type": "text/html" },
            }),
    });
    const page = await web.browser.newPage();
    await page.goto(`http://127.0.0.1:${origin.port}/`);
    const { url, token } = web.server;
    const result = await page.evaluate(
      // The page has no other way to load a module.
      `import("/scenario.js").then(({ scenario }) => scenario(${JSON.stringify(url)}, ${JSON.stringify(token)}))`,
    );
    expect(result).toEqual(JSON.parse(JSON.stringify(await scenario(url, token!))));
    await page.close();
  });

  test("requests no other host, keeps to the content security policy and throws nothing", () => {
    expect(web.violations).toEqual([]);
  });

  test("/favicon.ico is an icon of three sizes", async () => {
    const response = await fetch(`${web.server.url}/favicon.ico`);
    expect(response.headers.get("content-type")).toBe("image/vnd.microsoft.icon");
    const icon = Buffer.from(await response.bytes());
    expect([icon.readUInt16LE(2), icon.readUInt16LE(4)]).toEqual([1, 3]);
    const sizes = [0, 1, 2].map((index) => icon.readUInt8(6 + 16 * index));
    expect(sizes).toEqual([16, 32, 48]);
    for (const [index, size] of sizes.entries()) {
      const image = icon.subarray(icon.readUInt32LE(6 + 16 * index + 12));
      expect(image.toString("latin1", 1, 4)).toBe("PNG");
      expect(image.readUInt32BE(16)).toBe(size);
    }
  });

  test("robots are told to index nothing, also below a path prefix", async () => {
    const robots = await fetch(`${web.server.url}/robots.txt`);
    expect(robots.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await robots.text()).split("\n")).toEqual(
      expect.arrayContaining(["User-agent: *", "Disallow: /"]),
    );
    for (const path of ["/", "/openapi.html", "/docs", "/nothing"]) {
      const { headers } = await fetch(web.server.url + path, { headers: { Accept: "text/html" } });
      expect([path, headers.get("x-robots-tag")]).toEqual([path, "noindex"]);
    }
  });
});
