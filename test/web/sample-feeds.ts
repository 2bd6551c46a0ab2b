/** The products of ../shared/onix/samples as feeds in which each has an ISBN of its own, and can be imported. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../../src/lib/testing/shared-files.ts";
import { readSample } from "../../src/onix/testing/samples.ts";
import { numberedIsbn } from "../numbered-isbn.ts";

export const samples = sharedFile("onix/samples");

export interface SampleFeeds {
  readonly files: readonly string[];
  readonly isbns: readonly string[];
}

/** Writes the feeds into a folder. Files that are not ONIX 3 are left out. */
export async function writeSampleFeeds(folder: string): Promise<SampleFeeds> {
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  const isbns: string[] = [];
  for (const name of readdirSync(samples.path).sort()) {
    const sample = await readSample(join(samples.path, name));
    if (!sample) continue;
    const xml = withOwnIsbns(sample.xml, () => {
      const isbn = numberedIsbn(isbns.length);
      isbns.push(isbn);
      return isbn;
    });
    const file = join(folder, `${name}.xml`);
    await Bun.write(file, xml);
    files.push(file);
  }
  return { files, isbns };
}

/** Deletions, updates and test records become whole records; the first ISBN of a product is its own. */
function withOwnIsbns(xml: string, nextIsbn: () => string): string {
  return xml
    .replace(/<((?:\w+:)?(?:DeletionText|a199))>[^<]*<\/\1>/g, "")
    .replace(
      /<(\w+:)?(NotificationType|a002)([^>]*)>[^<]*<\/(?:\w+:)?\2>/g,
      (_, prefix = "", name, attributes) =>
        `<${prefix}${name}${attributes}>03</${prefix}${name}>` +
        `<${prefix}ProductIdentifier><${prefix}ProductIDType>15</${prefix}ProductIDType>` +
        `<${prefix}IDValue>${nextIsbn()}</${prefix}IDValue></${prefix}ProductIdentifier>`,
    );
}
