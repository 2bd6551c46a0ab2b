/** Markup and scripts in every field of the standard are shown as text, or removed, and run nothing. */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { codeLists } from "../../src/onix/code-lists.ts";
import { type ElementRule, elementByTag } from "../../src/onix/element-table.ts";
import { numberedIsbn } from "../during-tests.ts";
import { readBook } from "./book-page.ts";
import { describeInBrowser, expectNoSidewaysScroll } from "./browser.ts";

const TEXTS_ISBN = numberedIsbn(9_100_001);
const CODES_ISBN = numberedIsbn(9_100_002);

describeInBrowser("a hostile feed", [], (web) => {
  const products = new Map([
    [TEXTS_ISBN, hostileProduct(TEXTS_ISBN, false)],
    [CODES_ISBN, hostileProduct(CODES_ISBN, true)],
  ]);
  let page: Page;
  const dialogs: string[] = [];

  beforeAll(async () => {
    await web.importFeed(hostileMessage([...products.values()]));
    page = await web.open(`/book/${TEXTS_ISBN}`, { storage: { "colophon.covers": "load" } });
    page.on("dialog", async (dialog) => {
      dialogs.push(dialog.message());
      await dialog.dismiss();
    });
  });

  test.each([
    ["texts", TEXTS_ISBN, 190],
    ["codes", CODES_ISBN, 350],
  ])("runs nothing and requests nothing with payloads in all %s", async (kind, isbn, count) => {
    const { elements } = products.get(isbn)!;
    expect(elements.length).toBeGreaterThan(count);
    const { shown } = await readBook(page, isbn, { isWhole: kind === "codes" });
    expect(elements.filter((name) => !shown.includes(markOf(name)))).toEqual([]);
    expect(shown.includes(`[TitleText]"'><script>globalThis.pwned=1</script><img src=`)).toBe(true);
    expect(await page.locator("#about .markup-body").first().innerText()).not.toContain("script");
    expect(await page.evaluate(DANGEROUS)).toEqual([]);
    expect(await page.evaluate("globalThis.pwned ?? 'safe'")).toBe("safe");
    expect(dialogs).toEqual([]);
    expect(web.violations.filter((text) => !PARSED.test(text))).toEqual([]);
    const links = (await page.evaluate(LINKS)) as [href: string, rel: string][];
    const others = links.filter(([href]) => !href.startsWith(web.server.url));
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(([href, rel]) => !/^https?:/.test(href) || !rel.includes("noopener"))).toEqual([]);
    await expectNoSidewaysScroll(page);
  });
});

/**
 * The sanitiser parses markup in a document that is never shown. Chromium applies the policy of the page there, too, and
 * reports what it blocks.
 */
const PARSED =
  /^(Executing inline event handler|Applying inline style|Setting the document's base URI) .*violates/;

const LINKS = `[...document.querySelectorAll("article a[href]")].map((link) => [link.href, link.rel])`;

/** Elements and attributes that can run or load something. The page's own images are drawn covers and icons. */
const DANGEROUS = `[...document.querySelectorAll("article *")].flatMap((element) => [
  ...(element.matches("script, style, link, iframe, object, embed, form, base, meta, image, img:not(.cover-image)")
    ? [element.outerHTML.slice(0, 200)] : []),
  ...[...element.attributes]
    .filter(({ name, value }) => /^on/i.test(name) || (/^(href|src|action|formaction)$/i.test(name) && /^\\s*(javascript|data):/i.test(value)))
    .map(({ name, value }) => element.tagName + " " + name + "=" + value.slice(0, 100)),
])`;

/** Other hosts in payloads. No request may go there. */
const EVIL = "https://evil.test/";

/** Runs a script, or leaves its attribute, when it is taken for markup. */
const PAYLOAD = `"'><script>globalThis.pwned=1</script><img src="${EVIL}i" onerror="globalThis.pwned=1">`;

/** For elements that may have markup: what a sanitiser has to remove. */
const MARKUP_PAYLOAD = [
  PAYLOAD,
  `<svg onload="globalThis.pwned=1"><image href="${EVIL}s"/></svg>`,
  `<a href="javascript:globalThis.pwned=1">l</a><a href="${EVIL}h" target="_self">m</a>`,
  `<iframe src="${EVIL}f"></iframe><object data="${EVIL}o"></object><embed src="${EVIL}e">`,
  `<form action="${EVIL}a"><button formaction="javascript:globalThis.pwned=1">b</button></form>`,
  `<style>@import "${EVIL}c";</style><link rel="stylesheet" href="${EVIL}l"><base href="${EVIL}">`,
  `<p style="background:url(${EVIL}b)" onclick="globalThis.pwned=1" id="content">p</p>`,
  `<math><mtext><table><mglyph><style><img src="${EVIL}m" onerror="globalThis.pwned=1">`,
].join("");

const firstCodes = new Map(Object.values(codeLists).map(({ list, codes }) => [list, codes[0]![0]]));
/** Codes that the page needs to show an element. */
const CODES: Readonly<Record<string, string>> = {
  NotificationType: "03",
  TitleElementLevel: "01",
  TitleType: "01",
};
/** These would delete the product, or make it another. */
const LEFT_OUT = new Set(["DeletionText", "RecordReference", "NotificationType"]);

/** Returns what a page must show of the text in an element. */
function markOf(name: string): string {
  return `[${name}]`;
}

interface HostileProduct {
  readonly xml: string;
  /** The elements that have a payload. */
  readonly elements: readonly string[];
}

/** `hasHostileCodes` puts payloads into codes, too. */
function hostileProduct(isbn: string, hasHostileCodes: boolean): HostileProduct {
  const elements = new Set<string>();
  const textOf = (rule: ElementRule): string => {
    const [list] = rule.lists;
    if (list !== undefined && !hasHostileCodes) return CODES[rule.name] ?? firstCodes.get(list) ?? "01";
    elements.add(rule.name);
    if (/Link$/.test(rule.name)) return escapeXml(`javascript:globalThis.pwned=1//${markOf(rule.name)}`);
    return escapeXml(markOf(rule.name) + (rule.kind === "markup" ? MARKUP_PAYLOAD : PAYLOAD));
  };
  const written = new Set<string>();
  /** A composite is whole at its first place, and below each other parent without further composites. */
  const write = (name: string, parent: string): string => {
    const rule = elementByTag(name)!;
    if (LEFT_OUT.has(name) || rule.kind === "flag") return "";
    if (rule.kind !== "composite") return `<${name}>${textOf(rule)}</${name}>`;
    if (written.has(`${parent}/${name}`) && name !== "TitleElement") return "";
    const isKnown = written.has(name) && name !== "TitleDetail";
    written.add(name).add(`${parent}/${name}`);
    const children = [...rule.children.keys()].filter(
      (child) => !isKnown || elementByTag(child)!.kind !== "composite",
    );
    return `<${name} sourcename="${escapeXml(PAYLOAD)}">${children.map((child) => write(child, name)).join("")}</${name}>`;
  };
  const blocks = [...elementByTag("Product")!.children.keys()].map((name) => write(name, "Product"));
  const xml = `<Product><RecordReference>hostile-${isbn}</RecordReference><NotificationType>03</NotificationType>
<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbn}</IDValue></ProductIdentifier>${blocks.join("")}</Product>`;
  return { xml, elements: [...elements] };
}

/** The name of the sender is shown, too. */
function hostileMessage(products: readonly HostileProduct[]): string {
  return `<ONIXMessage release="3.1" xmlns="http://ns.editeur.org/onix/3.1/reference">
<Header><Sender><SenderName>${escapeXml(PAYLOAD)}</SenderName></Sender><SentDateTime>20260101</SentDateTime></Header>
${products.map(({ xml }) => xml).join("")}</ONIXMessage>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
