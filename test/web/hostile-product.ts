/** A product with every element of the standard, and with markup and scripts in each of them that is not a code. */
import { codeLists } from "../../src/onix/code-lists.ts";
import { type ElementRule, elementByTag } from "../../src/onix/element-table.ts";

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
/** Would delete the product, or make it another. */
const LEFT_OUT = new Set(["DeletionText", "RecordReference", "NotificationType"]);

/** Returns what a page must show of the text in an element. */
export function markOf(name: string): string {
  return `[${name}]`;
}

export interface HostileProduct {
  readonly xml: string;
  /** The elements that have a payload. */
  readonly elements: readonly string[];
}

/** `hasHostileCodes` puts payloads into codes, too. */
export function hostileProduct(isbn: string, hasHostileCodes: boolean): HostileProduct {
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
export function hostileMessage(products: readonly HostileProduct[]): string {
  return `<ONIXMessage release="3.1" xmlns="http://ns.editeur.org/onix/3.1/reference">
<Header><Sender><SenderName>${escapeXml(PAYLOAD)}</SenderName></Sender><SentDateTime>20260101</SentDateTime></Header>
${products.map(({ xml }) => xml).join("")}</ONIXMessage>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
