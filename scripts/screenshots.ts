/** Makes `docs/page/*.webp`: every page at two widths, light and dark, with the sample catalog. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE, startWeb } from "../test/web/browser.ts";

const OUTPUT = join(import.meta.dir, "../docs/page");
const QUALITY_PERCENT = 72;

const PAGES: readonly (readonly [name: string, path: string])[] = [
  ["shelf", "/"],
  ["search", "/?q=shakespeare"],
  ["covers", "/?language=fre&show=covers"],
  ["imprints", "/imprints"],
  ["book", "/book/9789999934626"],
  ["quality", "/quality"],
  ["imports", "/imports"],
  ["openapi", "/openapi.html"],
];

mkdirSync(OUTPUT, { recursive: true });
await using web = await startWeb();
for (const [width, viewport] of [
  ["wide", DESKTOP],
  ["narrow", PHONE],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await web.open("/", { viewport, colorScheme });
    for (const [name, path] of PAGES) {
      await page.goto(web.server.url + path);
      await page.waitForLoadState("networkidle");
      await page.waitForFunction(
        "document.querySelector('main h1') && !document.querySelector('main .busy')",
      );
      await Bun.write(join(OUTPUT, `${name}-${width}-${colorScheme}.webp`), await pictureOf(page));
    }
    await page.context().close();
  }
}

/** Playwright itself makes PNG and JPEG only. WebP is a third of their size. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY_PERCENT });
  await session.detach();
  return Buffer.from(data, "base64");
}
