/**
 * Rows on the products of ../shared/onix/samples, repeated with other ISBNs and references: one row per sender. The
 * samples belong to others, so they are read when the bench runs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { slugOf } from "../../src/catalog/imprint.ts";
import { sharedFile } from "../../src/lib/testing/shared-files.ts";
import { isbnOf } from "./feed.ts";
import { writeFeedFile } from "./feed-file.ts";
import type { ImportRow } from "./rows.ts";
import { SampleProduct } from "./sample-product.ts";

/** The products of one sender, and the message around them. */
interface SenderSample {
  readonly sender: string;
  /** From the DOCTYPE or root element to the first product. */
  readonly start: string;
  readonly end: string;
  readonly products: readonly SampleProduct[];
}

/** Returns no rows where the samples are missing. */
export function sampleRows(megabytes: number): readonly ImportRow[] {
  const { path: folder, missing } = sharedFile("onix/samples");
  if (missing) return [];
  const files = readdirSync(folder)
    .filter((name) => !name.endsWith(".md"))
    .sort();
  const samples = files.flatMap((name) => readSample(join(folder, name)) ?? []);
  // Products need the namespaces that their root element declares, so those of different root elements are not mixed.
  const bySender = Map.groupBy(samples, ({ sender, start }) => `${sender} ${namespacesOf(rootTagOf(start))}`);
  const ids = new Map<string, number>();
  return [...bySender.values()].map((group) => {
    const products = group.flatMap((sample) => sample.products);
    const { sender } = group[0]!;
    const slug = `sample-${slugOf(sender)}`;
    ids.set(slug, (ids.get(slug) ?? 0) + 1);
    const count = ids.get(slug)!;
    return {
      id: count === 1 ? slug : `${slug}-${count}`,
      name: `products of ${sender}${count === 1 ? "" : ` (${count})`}`,
      goal: 1,
      writeFeed: (path) => writeRepeated(path, { ...group[0]!, products }, megabytes),
    };
  });
}

async function writeRepeated(path: string, sample: SenderSample, megabytes: number): Promise<number> {
  let count = 0;
  function* parts(): Generator<string> {
    yield sample.start;
    for (let bytes = 0; bytes < megabytes * 1e6; count++) {
      const product = sample.products[count % sample.products.length]!.withIsbn(isbnOf(count), count);
      bytes += Buffer.byteLength(product);
      yield product;
    }
    yield sample.end;
  }
  await writeFeedFile(path, parts());
  return count;
}

/** Returns undefined for a file that is not well-formed, not ONIX 3, or has no product with an ISBN. */
function readSample(path: string): SenderSample | undefined {
  if (Bun.spawnSync(["xmllint", "--noout", "--nonet", path]).exitCode !== 0) return undefined;
  const text = decode(path);
  if (!/release\s*=\s*["']3\.|\/onix\/3\./.test(rootTagOf(text))) return undefined;
  const found = [...text.matchAll(/<((?:\w+:)?[Pp]roduct)[\s>].*?<\/\1>\s*/gs)];
  const products = found.flatMap(([xml]) => SampleProduct.parse(xml) ?? []);
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last || products.length === 0) return undefined;
  const start = text.slice(0, first.index).replace(/^\s*<\?xml[^>]*\?>\s*/, "");
  const sender = /<(?:\w+:)?(?:SenderName|x298)\b[^>]*>\s*([^<]*?)\s*</.exec(start)?.[1];
  return {
    sender: sender || repositoryOf(path),
    start,
    end: text.slice(last.index + last[0].length),
    products,
  };
}

/** Decodes a file by its byte order mark or XML declaration. */
function decode(path: string): string {
  const bytes = readFileSync(path);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const declaration = bytes.toString("latin1", 0, bytes.indexOf("?>"));
  const encoding = /encoding\s*=\s*["']([^"']+)/.exec(declaration)?.[1] ?? "utf-8";
  return new TextDecoder(encoding as Bun.Encoding).decode(bytes);
}

function rootTagOf(text: string): string {
  return /<(?:\w+:)?ONIX[Mm]essage\b[^>]*>/.exec(text)?.[0] ?? "";
}

/** Returns the name of the root element and its namespace declarations. */
function namespacesOf(rootTag: string): string {
  const declarations = rootTag.match(/xmlns[^\s>]*/g) ?? [];
  return [/[^\s>]*/.exec(rootTag)![0], ...declarations.sort()].join(" ");
}

/** The names of the samples are OWNER__REPOSITORY__PATH. */
function repositoryOf(path: string): string {
  return path.split("/").at(-1)!.split("__").slice(0, 2).join("/");
}
