/** The search field in Chromium, while responses are late and out of order. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { describeInBrowser, expectNoViolations } from "./browser.ts";

const FIELD = "input[type=search][name=q]";

/** A search begins 160 ms after a key: at one speed at the end of a phrase, at the other with each letter. */
const PHRASES: readonly (readonly [keyMs: number, phrases: readonly string[]])[] = [
  [20, ["978-84-376-0494-7", "la casa de los espíritus"]],
  [190, ["“frase exacta” mar", "-casa librer*"]],
];

describeInBrowser("the search field", [], (web) => {
  test.each(PHRASES)("keeps every letter that is typed every %i ms", async (keyMs, phrases) => {
    const page = await web.open("/");
    await delayResponses(page, keyMs);
    for (const phrase of phrases) {
      await page.fill(FIELD, "");
      await page.locator(FIELD).pressSequentially(phrase, { delay: keyMs });
      expect(await page.inputValue(FIELD)).toBe(phrase);
      await page.waitForURL((url) => url.searchParams.get("q") === phrase);
      await page.locator("[data-results][aria-busy=false]").waitFor();
      expect(await page.inputValue(FIELD)).toBe(phrase);
    }
    await web.close(page);
  });

  test("keeps the filters in place while their counts are late for two queries", async () => {
    const page = await web.open("/?q=la");
    await page.locator(".facet-list[aria-busy=false] a").first().waitFor();
    await page.route("**/api/facets?**", () => new Promise(() => undefined));
    for (const [typed, q] of [
      [" casa", "la casa"],
      [" de", "la casa de"],
    ] as const) {
      await page.locator(FIELD).press("End");
      const asked = page.waitForRequest((request) => {
        const { pathname, searchParams } = new URL(request.url());
        return pathname.endsWith("/api/facets") && searchParams.get("q") === q;
      });
      await page.locator(FIELD).pressSequentially(typed);
      await asked;
      expect(await page.locator(".facet-list[aria-busy=true] a").count()).toBeGreaterThan(0);
    }
    await web.close(page);
  });

  test("keeps the books before readable while the next ones are late", async () => {
    const page = await web.open("/?q=la");
    await page.locator("[data-results][aria-busy=false]").waitFor();
    await page.route("**/api/search?**", () => new Promise(() => undefined));
    await page.locator(FIELD).fill("la casa");
    await page.locator("[data-results][aria-busy=true] .book-row").first().waitFor();
    await expectNoViolations(page);
    await web.close(page);
  });

  test("leads to the first result with Enter, once the books of the query are there", async () => {
    const page = await web.open("/?q=la");
    await page.locator("[data-results][aria-busy=false]").waitFor();
    const release = await holdBack(page, "**/api/search?**");
    await page.fill(FIELD, "quijote");
    await page.keyboard.press("Enter");
    await page.locator("[data-results][aria-busy=true] .book-row").first().waitFor();
    await page.evaluate(EFFECTS);
    expect(await page.evaluate("document.activeElement.name")).toBe("q");
    release();
    await page.locator("[data-results][aria-busy=false] [data-index='0'] a:focus").waitFor();
    await web.close(page);
  });

  test("takes the key / as soon as it is shown, and keeps the focus", async () => {
    const page = await web.open("/imprints");
    await page.locator(".imprint").first().waitFor();
    await page.evaluate(`new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector("${FIELD}")) return;
        observer.disconnect();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
        resolve();
      }).observe(document.body, { childList: true, subtree: true });
      document.querySelector(".site-name").click();
    })`);
    await page.evaluate(EFFECTS);
    expect(await page.evaluate("document.activeElement.name")).toBe("q");
    await web.close(page);
  });

  test("is empty after a suggestion that is chosen before a search begins", async () => {
    const page = await web.open("/");
    // Searches begin after the longest pause of the field. These never do.
    await page.evaluate(`{
      const start = setTimeout;
      globalThis.setTimeout = (run, ms) => (ms >= 150 ? 0 : start(run, ms));
    }`);
    await page.locator(FIELD).fill("shakes");
    await page.getByRole("option", { name: /William Shakespeare.*Person/ }).click();
    await page.waitForURL(/contributor=William/);
    await waitFor("the field is empty", async () => (await page.inputValue(FIELD)) === "");
    await web.close(page);
  });

  test("takes the query of the back button and of a link", async () => {
    const page = await web.open("/?q=quijote");
    await page.fill(FIELD, "shakespeare");
    await page.waitForURL(/q=shakespeare/);
    await page.locator(".facet-list[aria-busy=false] a").first().click();
    await page.waitForURL(/q=shakespeare&/);
    expect(await page.inputValue(FIELD)).toBe("shakespeare");
    await page.getByRole("link", { name: "Shelf", exact: true }).click();
    await waitFor("the field is empty", async () => (await page.inputValue(FIELD)) === "");
    await page.goBack();
    await waitFor("the query is back", async () => (await page.inputValue(FIELD)) === "shakespeare");
    await web.close(page);
  });

  test("suggests books, people and imprints: arrow keys, Enter, Escape and a click", async () => {
    const page = await web.open("/");
    const list = page.getByRole("listbox", { name: "Suggestions" });
    const options = list.getByRole("option");
    await page.locator(FIELD).pressSequentially("shakes");
    await options.first().waitFor();
    expect(await page.locator(FIELD).getAttribute("aria-activedescendant")).toBeNull();
    await expectNoViolations(page);
    await page.keyboard.press("ArrowDown");
    expect(await options.first().getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    expect(await page.inputValue(FIELD)).toBe("shakes");
    await page.locator(FIELD).pressSequentially("p");
    await options.filter({ hasText: "William Shakespeare" }).filter({ hasText: "Person" }).click();
    await page.waitForURL(/contributor=William/);
    await waitFor("the field is empty", async () => (await page.inputValue(FIELD)) === "");
    await page.locator(FIELD).pressSequentially("hamlet");
    await options.first().waitFor();
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "detached" });
    await page.waitForURL(/q=hamlet/);
    await page.fill(FIELD, "");
    await page.locator(FIELD).pressSequentially("hamlet");
    // The list before stays until this one is there.
    await page.locator("[role=option]:first-child", { hasText: "Hamlet" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/book\/97/);
    await web.close(page);
  });

  test("leaves the keys of an input method, and those that select text, to the browser", async () => {
    const page = await web.open("/");
    const session = await page.context().newCDPSession(page);
    await page.focus(FIELD);
    await session.send("Input.imeSetComposition", { text: "hamlet", selectionStart: 6, selectionEnd: 6 });
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.evaluate(EFFECTS);
    expect(await page.locator("[role=option][aria-selected=true]").count()).toBe(0);
    await session.send("Input.insertText", { text: "hamlet" });
    await page.keyboard.press("Shift+ArrowUp");
    await page.evaluate(EFFECTS);
    expect(await page.locator("[role=option][aria-selected=true]").count()).toBe(0);
    await session.detach();
    await web.close(page);
  });

  test("has no late suggestions for a text that Escape has removed", async () => {
    const page = await web.open("/");
    const release = await holdBack(page, "**/api/suggest?**");
    const asked = page.waitForRequest("**/api/suggest?**");
    await page.fill(FIELD, "shakes");
    const response = (await asked).response();
    await page.keyboard.press("Escape");
    expect(await page.inputValue(FIELD)).toBe("");
    release();
    await (await response.catch(() => null))?.finished().catch(() => undefined);
    await page.evaluate(EFFECTS);
    expect(await page.locator("[role=option]").count()).toBe(0);
    await web.close(page);
  });

  test("opens no suggestion of a list that another one has replaced", async () => {
    const page = await web.open("/");
    const options = page.getByRole("option");
    await page.fill(FIELD, "shakes");
    await options.first().waitFor();
    const release = await holdBack(page, "**/api/suggest?**");
    await page.fill(FIELD, "quijote");
    await page.keyboard.press("ArrowDown");
    await page.locator("[role=option][aria-selected=true]").waitFor();
    release();
    await page.locator("[role=option]:first-child", { hasText: "Quijote" }).waitFor();
    expect(await page.locator(FIELD).getAttribute("aria-activedescendant")).toBeNull();
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=quijote/);
    await web.close(page);
  });
});

/** Holds back the responses of some requests until the function that it returns is called. */
async function holdBack(page: Page, requests: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(requests, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Resolves after the effects of the components that were drawn before. */
const EFFECTS =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))";

/** Delays each response of the API by 60 to 360 ms, so that later ones overtake earlier ones. */
async function delayResponses(page: Page, seed: number): Promise<void> {
  let state = seed;
  await page.route("**/api/**", async (route) => {
    state = (state * 16_807) % 2_147_483_647;
    await Bun.sleep(60 + (state % 300));
    // The page has aborted most requests by now.
    await route.continue().catch(() => undefined);
  });
}
