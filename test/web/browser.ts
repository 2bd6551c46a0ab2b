/** One server with the sample catalog and one Chromium, for the tests of a file. */
import { describe } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { isFileMissing } from "../../src/lib/testing/requirements.ts";
import { duringTests } from "../during-tests.ts";
import { colophon } from "../in-process.ts";
import { type ServeProcess, startWithSample, temporaryFolder } from "../process.ts";

export const CHROMIUM = "/usr/bin/chromium";
/** With CI set, a missing browser fails the tests instead. */
export const isSkipped = isFileMissing(CHROMIUM);

/** Only for a browser that hangs: a busy machine takes a minute where an idle one takes five seconds. */
const TIMEOUT_MS = 300_000;
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
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
}

interface OpenOptions extends BrowserContextOptions {
  /** The token that the browser has stored before the page is loaded. Default: the token of the server. */
  readonly token?: string | undefined;
  /** Further settings in the storage of the browser, such as `colophon.covers`. */
  readonly storage?: Readonly<Record<string, string>>;
  /** Where the service is, when it is not at `server.url`: the URL of a proxy. */
  readonly base?: string;
}

export interface WebHarness extends AsyncDisposable {
  readonly server: ServeProcess;
  readonly browser: Browser;
  /** What pages must not do: requests to other hosts, violations of the policy, exceptions. */
  readonly violations: string[];
  /** Opens a path such as `/imprints`, with nothing in its storage but what the options say. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Leaves a page to the next `open` with the same context: a new one takes four times the processor time. */
  close(page: Page): Promise<void>;
  /** Imports an ONIX message into the catalog that is being served. */
  importFeed(xml: string): Promise<void>;
  /** Imports files, all in one import. */
  importFiles(paths: readonly string[]): Promise<void>;
}

/** Describes tests that share a server with the sample catalog and a browser. Without Chromium, they are skipped. */
export function describeInBrowser(
  title: string,
  args: readonly string[],
  tests: (web: WebHarness) => void,
): void {
  describe.skipIf(isSkipped)(`${title} (skipped without ${CHROMIUM})`, () =>
    tests(duringTests(() => startWeb(args))),
  );
}

/** Starts Colophon with the sample catalog. `args` are further options of `colophon serve`. */
export async function startWeb(args: readonly string[] = []): Promise<WebHarness> {
  const folder = temporaryFolder();
  const db = join(folder, "catalog.db");
  const [server, browser] = await Promise.all([startWithSample(db, args), launchChromium()]);
  const violations: string[] = [];
  const contextOf = new Map<Page, string>();
  const free: Page[] = [];
  return {
    server,
    browser,
    violations,
    async open(path, { token = server.token, storage = {}, base = server.url, ...options } = {}) {
      const context = { viewport: DESKTOP, locale: "en-GB", ...options };
      const settings = { ...(token && { "colophon.token": token }), ...storage };
      // The storage is that of an origin.
      const key = JSON.stringify([base, context]);
      const used = free.findIndex((each) => contextOf.get(each) === key);
      const page = used >= 0 ? free.splice(used, 1)[0]! : await browser.newPage(context);
      contextOf.set(page, key);
      page.setDefaultTimeout(TIMEOUT_MS);
      watch(page, new URL(base).origin, violations);
      if (slowState > 0) await slowDown(page);
      if (used >= 0) await page.evaluate(storeAgain, settings);
      else await page.addInitScript(storeOnce, settings);
      await page.goto(base + path);
      return page;
    },
    async close(page) {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      page.removeAllListeners();
      await page.emulateMedia({ media: null, colorScheme: "light" });
      const [, { viewport }] = JSON.parse(contextOf.get(page)!) as [string, { viewport: typeof DESKTOP }];
      await page.setViewportSize(viewport);
      free.push(page);
    },
    async importFeed(xml) {
      const feed = join(folder, "feed.xml");
      writeFileSync(feed, xml);
      await importInto(db, [feed]);
    },
    importFiles: (paths) => importInto(db, paths),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.stop();
    },
  };
}

/** Not 0 with `COLOPHON_TEST_SLOW`: pages are slow then, and responses of the API are late. The routes of tests go first. */
let slowState = Number(process.env.COLOPHON_TEST_SLOW ?? 0);

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.route("**/api/**", async (route) => {
    slowState = (slowState * 16_807) % 2_147_483_647;
    await Bun.sleep(slowState % 600);
    await route.continue().catch(() => undefined);
  });
}

async function importInto(db: string, feeds: readonly string[]): Promise<void> {
  const { code, stderr } = await colophon(["import", "--db", db, ...feeds]);
  if (code !== 0) throw new Error(`colophon import: ${stderr}`);
}

interface BrowserStorage {
  clear(): void;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Runs in the browser before each load. What a page changes afterwards stays. */
function storeOnce(settings: Readonly<Record<string, string>>): void {
  const { localStorage } = globalThis as unknown as { localStorage: BrowserStorage };
  if (localStorage.getItem("test.stored") !== null) return;
  localStorage.setItem("test.stored", "yes");
  for (const [key, value] of Object.entries(settings)) localStorage.setItem(key, value);
}

/** Runs in the browser before a page is used again. */
function storeAgain(settings: Readonly<Record<string, string>>): void {
  const { localStorage, sessionStorage } = globalThis as unknown as Record<string, BrowserStorage>;
  localStorage!.clear();
  sessionStorage!.clear();
  for (const [key, value] of Object.entries({ "test.stored": "yes", ...settings }))
    localStorage!.setItem(key, value);
}

function watch(page: Page, origin: string, violations: string[]): void {
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !url.startsWith(`${origin}/`)) violations.push(`requested ${url}`);
  });
  page.on("pageerror", (error) => violations.push(error.message));
  page.on("console", (message) => {
    // The browser reports the errors of the API that tests provoke.
    if (message.type() === "error" && !/status of (40[0-9]|503)/.test(message.text()))
      violations.push(message.text());
  });
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** Runs axe-core in the page. Returns each violation with the elements that have it. */
async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: Violation[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary}`),
  );
}

/**
 * Throws unless axe-core finds nothing. In the dark theme only the colours are others, so that a page with elements that
 * were looked at in another state needs the light one only.
 */
export async function expectNoViolations(
  page: Page,
  themes: readonly ("light" | "dark")[] = ["light", "dark"],
): Promise<void> {
  for (const colorScheme of themes) {
    const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
    await page.emulateMedia({ colorScheme });
    const found = await violationsOf(page, rules);
    if (found.length > 0) throw new Error(`axe-core, ${colorScheme}, ${page.url()}:\n${found.join("\n")}`);
  }
}

/** Throws when the page is wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    if (width === viewport.width) continue;
    const widest = await page.evaluate(WIDEST);
    throw new Error(`${page.url()} is ${width} wide at ${viewport.width}: ${widest}`);
  }
}

/** The innermost elements that end beyond the window. */
const WIDEST = `[...document.querySelectorAll("body *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.tagName + "." + element.className)
  .slice(0, 10).join(" ")`;
