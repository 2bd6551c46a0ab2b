/** Makes `docs/page/*.webp`: what the documentation shows of the page for people, with the sample catalog. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { DESKTOP, startWeb } from "../test/web/browser.ts";

const OUTPUT = join(import.meta.dir, "../docs/page");
const QUALITY_PERCENT = 72;

/** Those that the documentation shows. */
const PAGES: readonly (readonly [name: string, path: string])[] = [
  ["shelf", "/"],
  ["book", "/book/9789999934626"],
];

mkdirSync(OUTPUT, { recursive: true });
await using web = await startWeb();
const page = await web.open("/", { viewport: DESKTOP, colorScheme: "light" });
for (const [name, path] of PAGES) {
  await page.goto(web.server.url + path);
  await page.waitForLoadState("networkidle");
  await page.waitForFunction("document.querySelector('main h1') && !document.querySelector('main .busy')");
  await Bun.write(join(OUTPUT, `${name}-wide-light.webp`), await pictureOf(page));
}

/** Playwright itself makes PNG and JPEG only. WebP is a third of their size. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY_PERCENT });
  await session.detach();
  return Buffer.from(data, "base64");
}
