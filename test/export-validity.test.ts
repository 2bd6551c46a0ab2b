/** A record of a valid feed is exported as valid ONIX. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FeedError } from "../src/feed/feed-error.ts";
import { sharedFile } from "../src/lib/testing/shared-files.ts";
import { readFeed } from "../src/onix/feed-reader.ts";
import type { Isbn13 } from "../src/onix/isbn.ts";
import { buildRecord, readProduct } from "../src/onix/record.ts";
import { MESSAGE_END, messageStart, NO_PRODUCT, writeProduct } from "../src/onix/writer.ts";
import { temporaryFolder } from "./process.ts";

const samples = sharedFile("onix/samples");
const isSkipped = samples.missing || (!process.env.CI && Bun.which("xmllint") === null);

/** Returns the files that are valid against the schema. Loading the schema takes longest, so it is done once. */
async function findValid(release: string, tags: string, files: readonly string[]): Promise<Set<string>> {
  if (files.length === 0) return new Set();
  const { path } = sharedFile(`onix/schemas/${release}/ONIX_BookProduct_${release}_${tags}.xsd`);
  const child = Bun.spawn(["xmllint", "--noout", "--nonet", "--schema", path, ...files], {
    stderr: "pipe",
    stdout: "ignore",
  });
  const lines = (await new Response(child.stderr).text()).split("\n");
  await child.exited;
  return new Set(
    lines.filter((line) => line.endsWith(" validates")).map((line) => line.slice(0, -" validates".length)),
  );
}

async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  yield await Bun.file(path).bytes();
}

describe.skipIf(isSkipped)("export of every 3.x sample (skipped without ../shared or xmllint)", () => {
  test("is valid whenever the feed was", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder.path, "in"));
    const exported = new Map<string, { release: "3.0" | "3.1"; tags: string; out: string }>();
    for (const name of readdirSync(samples.path).filter((name) => !name.endsWith(".md"))) {
      try {
        const input = join(folder.path, "in", name);
        const out = join(folder.path, name);
        let header: { release: "3.0" | "3.1"; tags: string } | undefined;
        let xml = "";
        for await (const batch of readFeed(readBytes(join(samples.path, name)))) {
          ({ header } = batch);
          for (const element of batch.products) {
            const product = readProduct(element, batch.header.release);
            const { record, origin } = buildRecord(product, product.isbn ?? ("0000000000000" as Isbn13));
            xml += writeProduct(
              JSON.parse(JSON.stringify(record)),
              product.reference,
              JSON.parse(JSON.stringify(origin)),
            );
          }
        }
        // The schemas require the namespace, so it is added to a feed without one.
        const { release, tags } = header!;
        const namespace = `xmlns="http://ns.editeur.org/onix/${release}/${tags}"`;
        const original = await Bun.file(join(samples.path, name)).text();
        writeFileSync(
          input,
          original.includes("xmlns=") ? original : original.replace(/<(ONIX[Mm]essage)/, `<$1 ${namespace}`),
        );
        writeFileSync(out, messageStart(release, "test", new Date(0)) + (xml || NO_PRODUCT) + MESSAGE_END);
        exported.set(input, { release, tags, out });
      } catch (error) {
        if (!(error instanceof FeedError)) throw error;
      }
    }
    let compared = 0;
    for (const release of ["3.0", "3.1"]) {
      for (const tags of ["reference", "short"]) {
        const files = [...exported].filter(([, each]) => each.release === release && each.tags === tags);
        const before = await findValid(
          release,
          tags,
          files.map(([input]) => input),
        );
        const expected = files.filter(([input]) => before.has(input)).map(([, { out }]) => out);
        const after = await findValid(release, "reference", expected);
        expect(expected.filter((out) => !after.has(out))).toEqual([]);
        compared += expected.length;
      }
    }
    folder.remove();
    // The other samples are not valid.
    expect(compared).toBeGreaterThan(20);
  });
});
