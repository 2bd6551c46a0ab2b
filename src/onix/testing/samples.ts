/** The samples in ../shared/onix/samples, in a form in which all of their products have records. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DecodeError, FeedError } from "../../feed/feed-error.ts";
import { streamOf } from "../../feed/testing/streams.ts";
import { utf8Document } from "../../feed/utf8-document.ts";
import { sharedFile } from "../../lib/testing/requirements.ts";
import { type ScannedMessage, scanMessage } from "./scan-message.ts";

const FOLDER = sharedFile("onix/samples");
export const areSamplesMissing = FOLDER.missing;

const ISBN = "9788437604947";

export interface Sample {
  readonly xml: string;
  readonly scanned: ScannedMessage;
}

/** Reads all samples of ONIX 3, in the order of their names. */
export async function* readSamples(): AsyncGenerator<Sample & { readonly name: string }> {
  for (const name of readdirSync(FOLDER.path).sort()) {
    const sample = await readSample(join(FOLDER.path, name));
    if (sample) yield { name, ...sample };
  }
}

/** Returns undefined for a file that is not ONIX 3. */
export async function readSample(path: string): Promise<Sample | undefined> {
  try {
    const xml = await decode(await Bun.file(path).bytes());
    const scanned = await scanMessage(xml);
    if (scanned.products.every(({ action }) => action !== "rejection")) return { xml, scanned };
    return { xml: withIsbns(xml), scanned: await scanMessage(withIsbns(xml)) };
  } catch (error) {
    if (error instanceof FeedError || error instanceof DecodeError) return undefined;
    throw error;
  }
}

/**
 * Returns the text without its XML declaration, which may name another encoding, and without the header's defaults,
 * which the writer writes into the products.
 */
async function decode(bytes: Uint8Array): Promise<string> {
  const chunks = await Array.fromAsync(
    utf8Document(streamOf(bytes), () => {}),
    (chunk) => chunk.slice(),
  );
  return Buffer.concat(chunks)
    .toString()
    .replace(/^<\?xml[^>]*>/, "")
    .replace(/<(Default\w+|m18[456])>[^<]*<\/\1>/g, "");
}

/** Adds an ISBN to each product, because a product without one has no record. */
function withIsbns(xml: string): string {
  return xml
    .replaceAll("9999999999999", ISBN)
    .replace(
      /<\/(\w+:)?(NotificationType|a002)>/g,
      (end, prefix = "") =>
        `${end}<${prefix}ProductIdentifier><${prefix}ProductIDType>15</${prefix}ProductIDType>` +
        `<${prefix}IDValue>${ISBN}</${prefix}IDValue></${prefix}ProductIdentifier>`,
    );
}
