/** What was valid ONIX before it went into the catalog is valid when it comes out. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FeedError } from "../src/feed/feed-error.ts";
import { shared } from "../src/lib/testing/shared-files.ts";
import { readFeed } from "../src/onix/feed-reader.ts";
import type { Isbn13 } from "../src/onix/isbn.ts";
import { buildRecord, readProduct } from "../src/onix/record.ts";
import { MESSAGE_END, messageStart, NO_PRODUCT, writeProduct } from "../src/onix/writer.ts";
import { temporaryFolder } from "./process.ts";

const samples = shared("onix/samples");
const missing = samples.missing || (!process.env.CI && Bun.which("xmllint") === null);

/** Those of the files that are valid against the schema. One run for all of them: it is the schema that takes time. */
async function valid(release: string, tags: string, files: readonly string[]): Promise<Set<string>> {
  if (files.length === 0) return new Set();
  const { path } = shared(`onix/schemas/${release}/ONIX_BookProduct_${release}_${tags}.xsd`);
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

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield await Bun.file(path).bytes();
}

describe.skipIf(missing)("export of every 3.x sample (skipped without ../shared or xmllint)", () => {
  test("is valid wherever the feed was", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder.path, "in"));
    const sent = new Map<string, { release: "3.0" | "3.1"; tags: string; out: string }>();
    for (const name of readdirSync(samples.path).filter((name) => !name.endsWith(".md"))) {
      try {
        const into = join(folder.path, "in", name);
        const out = join(folder.path, name);
        let header: { release: "3.0" | "3.1"; tags: string } | undefined;
        let xml = "";
        for await (const batch of readFeed(bytesOf(join(samples.path, name)))) {
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
        // Schemas are for a namespace; a feed without one is judged as if it had it.
        const { release, tags } = header!;
        const namespace = `xmlns="http://ns.editeur.org/onix/${release}/${tags}"`;
        const original = await Bun.file(join(samples.path, name)).text();
        writeFileSync(
          into,
          original.includes("xmlns=") ? original : original.replace(/<(ONIX[Mm]essage)/, `<$1 ${namespace}`),
        );
        writeFileSync(out, messageStart(release, "test", new Date(0)) + (xml || NO_PRODUCT) + MESSAGE_END);
        sent.set(into, { release, tags, out });
      } catch (error) {
        if (!(error instanceof FeedError)) throw error;
      }
    }
    let judged = 0;
    for (const release of ["3.0", "3.1"]) {
      for (const tags of ["reference", "short"]) {
        const files = [...sent].filter(([, each]) => each.release === release && each.tags === tags);
        const before = await valid(
          release,
          tags,
          files.map(([into]) => into),
        );
        const expected = files.filter(([into]) => before.has(into)).map(([, { out }]) => out);
        const after = await valid(release, "reference", expected);
        expect(expected.filter((out) => !after.has(out))).toEqual([]);
        judged += expected.length;
      }
    }
    folder.remove();
    // The others were not valid when they came.
    expect(judged).toBeGreaterThan(20);
  });
});
