/** Feeds of real senders. They belong to others, so they are in ../shared and not in this repository. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FeedError } from "../feed/feed-error.ts";
import { streamOf } from "../feed/testing/streams.ts";
import { sharedFile } from "../lib/testing/requirements.ts";
import { readDocument } from "./testing/read-document.ts";

const { path: SAMPLES, missing: isSkipped } = sharedFile("onix/samples");

/** Files that are not well-formed. Expat rejects them too. */
const MALFORMED: Readonly<Record<string, string>> = {
  "The-Academic-Observatory__oaebu-workflows__oaebu_workflows_fixtures_oapen_metadata_oapen_metadata_parsed_invalid.xml":
    "line 272, column 1: not well-formed: the feed ends inside <DescriptiveDetail>",
  "sesamyab__onix2js__test_templates_1.xml":
    "line 2, column 6: not well-formed: an XML declaration must be at the start of the document",
};

interface Sample {
  readonly file: string;
  readonly release: string;
  readonly tags: string;
  readonly products: number;
}

/** Parses the table of samples, which was not made with this reader. */
function samples(): Sample[] {
  const rows = readFileSync(join(SAMPLES, "SOURCES.md"), "utf8").matchAll(
    /^\| (\S+\.(?:xml|onx|onix)) \|(.*)\|$/gm,
  );
  return Array.from(rows, ([, file, rest]) => {
    const [release, tags, products] = rest!
      .split("|")
      .slice(-3)
      .map((cell) => cell.trim());
    return { file: file!, release: release!, tags: tags!, products: Number(products) };
  });
}

async function outcome(file: string): Promise<string> {
  let products = 0;
  let header = "";
  try {
    for await (const batch of readDocument(streamOf(readFileSync(join(SAMPLES, file))))) {
      products += batch.products.length;
      header = `${batch.header.release} ${batch.header.tags}`;
      for (const { body, line } of batch.products) {
        if (body.length > 0) JSON.parse(new TextDecoder().decode(body));
        expect(line).toBeGreaterThan(1);
      }
    }
  } catch (error) {
    if (error instanceof FeedError) return error.message;
    throw error;
  }
  return `${header} ${products}`;
}

describe("readFeed with real feeds", () => {
  test.skipIf(isSkipped)("finds 147 samples (skipped without ../shared)", () => {
    expect(samples()).toHaveLength(147);
  });

  test.skipIf(isSkipped)(
    "returns all products of each ONIX 3 message with a release (skipped without ../shared)",
    async () => {
      const read = samples().filter(({ release, file }) => /^3\.[01]$/.test(release) && !(file in MALFORMED));
      expect(read.length).toBe(112);
      for (const { file, release, tags, products } of read) {
        expect([file, await outcome(file)]).toEqual([file, `${release} ${tags} ${products}`]);
      }
    },
  );

  test.skipIf(isSkipped)(
    "rejects feeds that are not well-formed, with the position (skipped without ../shared)",
    async () => {
      for (const [file, reason] of Object.entries(MALFORMED)) expect(await outcome(file)).toBe(reason);
    },
  );

  test.skipIf(isSkipped)(
    "rejects ONIX 2.1 and messages without a version (skipped without ../shared)",
    async () => {
      const others = samples().filter(({ release }) => !/^3\.[01]$/.test(release));
      expect(others.length).toBe(33);
      for (const { file } of others) {
        expect([file, await outcome(file)]).toEqual([
          file,
          expect.stringMatching(
            /^line [123], column 1: (?:ONIX 2\.1|unknown ONIX version|the root element is <[Pp]roduct>)/,
          ),
        ]);
      }
    },
  );
});
