/**
 * `npm run bench:page -- --db WHERE [--rounds 5] [--trace FILE]`: measures in Chromium, with nothing in its cache, when
 * the largest part of a page is drawn (LCP), and how far things move while it loads. The service is warm.
 */
import type { Browser } from "playwright-core";
import { freePort } from "../src/lib/testing/free-port.ts";
import { DESKTOP, launchChromium } from "../test/web/browser.ts";
import { markdownTable, parseFlags } from "./command.ts";
import { median } from "./measure.ts";
import { COLOPHON, waitUntilReady } from "./processes.ts";
import { ENVIRONMENT, issueToken } from "./servers/colophon.ts";
import { searchQueries } from "./vocabulary.ts";

const flags = parseFlags({
  db: { type: "string" },
  rounds: { type: "string", default: "5" },
  /** Where to write what Chromium did for the last page, for DevTools. */
  trace: { type: "string" },
});
const QUERY = searchQueries(1, 1)[0]!;
const PAGES = ["/", `/?q=${encodeURIComponent(QUERY)}`, "/quality", "/imports"].filter(
  (path) => flags.only === undefined || path === flags.only,
);
/** How long a new window or a page takes to come to rest, at most. */
const SETTLED_MS = 1500;

interface Load {
  readonly largestMs: number;
  readonly element: string;
  readonly shift: number;
}

/** Runs in the browser before the page does. */
const OBSERVE = `
  globalThis.observed = { largestMs: 0, element: "", shift: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime, element, size } of list.getEntries()) {
      observed.largestMs = startTime;
      observed.element = (element?.className || element?.tagName || "?") + ", " + size + " px";
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) observed.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
`;

const port = freePort();
const url = `http://127.0.0.1:${port}`;
const server = Bun.spawn([COLOPHON, "serve", "--db", flags.db!, "--port", String(port), "--log", "none"], {
  env: ENVIRONMENT,
  stdio: ["ignore", "ignore", "inherit"],
});
const browser = await launchChromium();
try {
  const token = await issueToken("Page", flags.db!);
  await waitUntilReady(`${url}/api/imprints`, { Authorization: `Bearer ${token}` });
  const rows: string[][] = [];
  for (const path of PAGES) {
    await measureLoad(browser, path, token);
    const loads: Load[] = [];
    for (let round = 0; round < Number(flags.rounds); round++)
      loads.push(await measureLoad(browser, path, token));
    const largestMs = median(loads.map((load) => load.largestMs));
    const shift = Math.max(...loads.map((load) => load.shift));
    rows.push([`\`${path}\``, `${(largestMs / 1000).toFixed(2)} s`, loads[0]!.element, shift.toFixed(3)]);
  }
  console.log(markdownTable([["page", "LCP", "of", "layout shift"], ...rows]));
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await server.exited;
}

async function measureLoad(browser: Browser, path: string, token: string): Promise<Load> {
  const context = await browser.newContext({ viewport: DESKTOP, locale: "en-GB" });
  try {
    const page = await context.newPage();
    await page.addInitScript(`localStorage.setItem("colophon.token", ${JSON.stringify(token)});`);
    await page.addInitScript(OBSERVE);
    // Chromium loads the parts of its own window first, some hundred files.
    await page.waitForTimeout(SETTLED_MS);
    if (flags.trace) await browser.startTracing(page, { path: flags.trace });
    await page.goto(url + path);
    await page.waitForTimeout(SETTLED_MS);
    if (flags.trace) await browser.stopTracing();
    return await page.evaluate("observed");
  } finally {
    await context.close();
  }
}
