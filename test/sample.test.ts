/** The bundled sample: its size, its fields, its news, and the examples of the OpenAPI document. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { exampleSummary } from "../src/api/openapi/summary-schema.ts";
import { moveDates } from "../src/cli/serve/sample-feed.ts";
import { isProgramMissing, sharedFile } from "../src/lib/testing/requirements.ts";
import { type Day, subtractDays, utcDay } from "../src/onix/date.ts";
import { duringTests } from "./during-tests.ts";
import { colophon } from "./in-process.ts";
import { fetchAs, runProgram, SAMPLE, startColophon, temporaryFolder } from "./process.ts";

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; example?: string }[];
  responses: Record<string, { content?: Record<string, { example?: unknown; examples?: unknown }> }>;
}

/** Returns the names of the members of an object, or of the first one in a list. */
function structureOf(body: unknown): readonly string[] {
  return Object.keys((Array.isArray(body) ? body[0] : body) as object);
}

describe("the sample catalog, served", () => {
  const folder = temporaryFolder();
  const server = duringTests(() => startColophon(["--sample", "--db", join(folder, "catalog.db")]));

  async function get<T>(path: string): Promise<T> {
    const response = await fetchAs(server.token, server.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as T;
  }

  test("has at least 200 books of at least 12 imprints", async () => {
    expect((await get<string[]>("/api/skus")).length).toBeGreaterThanOrEqual(200);
    const imprints = await get<{ slug: string; name: string }[]>("/api/imprints");
    expect(imprints.length).toBeGreaterThanOrEqual(12);
    // Two spellings are one imprint, with the name that most of its records have.
    expect(imprints).toContainEqual({
      _id: { slug: "ancla-azul" },
      slug: "ancla-azul",
      name: "Ancla Azul",
    } as never);
  });

  test("has news today, newest first", async () => {
    const news = await get<{ PublishingDetail: { PublishingDate: { Date: string }[] } }[]>("/api/news");
    expect(news.length).toBeGreaterThanOrEqual(20);
    const days = news.map((book) => book.PublishingDetail.PublishingDate[0]!.Date);
    expect(days[0]! <= utcDay(new Date())).toBe(true);
    expect(days.toSorted().toReversed()).toEqual(days);
    expect((await get<unknown[]>("/api/news?date=20000101")).length).toBeGreaterThan(news.length);
  });

  test("has every field of the specified record", async () => {
    const all: Record<string, unknown>[] = [];
    for (const { slug } of await get<{ slug: string }[]>("/api/imprints"))
      all.push(...(await get<never[]>(`/api/imprint/${slug}`)));
    const text = all.map((record) => JSON.stringify(record)).join("\n");
    const fields = `_id RecordReference NotificationType ProductIdentifier ProductIDType IDTypeName IDValue DescriptiveDetail
      ProductComposition ProductForm ProductFormDetail ProductPackaging PrimaryContentType Measure MeasureType Measurement
      MeasureUnitCode CountryOfManufacture NoCollection Collection TitleDetail TitleType TitleElement TitleElementLevel TitleText
      Contributor SequenceNumber ContributorRole PersonName PersonNameInverted NamesBeforeKey KeyNames CorporateName NoEdition
      EditionNumber Language LanguageRole LanguageCode Extent ExtentType ExtentValue ExtentUnit Subject MainSubject
      SubjectSchemeIdentifier SubjectCode SubjectHeadingText Audience AudienceCodeType AudienceCodeValue AudienceRange
      AudienceRangeQualifier AudienceRangePrecision AudienceRangeValue CollateralDetail TextContent TextType ContentAudience Text`;
    for (const field of fields.split(/\s+/))
      expect([field, text.includes(`"${field}":`)]).toEqual([field, true]);
    for (const part of [
      '"IDTypeName":"ONIX_NOSEQ"',
      '"MeasureUnitCode":"in"',
      '"MeasureUnitCode":"lb"',
      '"MeasureUnitCode":"kg"',
      '"MainSubject":["true"]',
      '"MainSubject":[]',
      '"Contributor":[',
      '"Contributor":{',
      "<p>",
      "\\n",
    ]) {
      expect([part, text.includes(part)]).toEqual([part, true]);
    }
    for (const type of ["01", "02", "03", "08"]) expect(text).toContain(`"MeasureType":"${type}"`);
    expect(text).toMatch(/"IDValue":"\d{9}X"/);
    expect(text).toMatch(/"RecordReference":"979/);
  });

  test("returns the examples of the OpenAPI document as documented", async () => {
    const document = await get<{ paths: Record<string, { get: Operation }> }>("/openapi.json");
    const examples = new Map<string, unknown>();
    for (const [path, { get: operation }] of Object.entries(document.paths)) {
      let url = path;
      const query = new URLSearchParams();
      for (const { name, in: where, example } of operation.parameters ?? []) {
        if (where === "path") url = url.replace(`{${name}}`, encodeURIComponent(example!));
        if (where === "query" && example !== undefined) query.set(name, example);
      }
      // The page leaves the parameters of a search empty.
      if (["searchBooks", "getFacets"].includes(operation.operationId)) query.set("q", "treasure island");
      if (operation.operationId === "getSuggestions") query.set("q", "stevenson");
      const body = await get<unknown>(query.size > 0 ? `${url}?${query}` : url);
      const shown = operation.responses["200"]!.content!["application/json"]!.example;
      examples.set(operation.operationId, shown);
      if (operation.operationId === "getBook") expect(shown).toEqual(body as never);
      // The words of Thema are loaded by the operator.
      else if (operation.operationId === "getSubjects") expect(body).toEqual([]);
      // News depend on the date: the example shows the structure of a book.
      else if (operation.operationId === "getNews") expect(body).not.toEqual([]);
      // These depend on the imports or on all books: the example shows their structure.
      else if (
        ["getChanges", "getImports", "getImport", "getOrigin", "getQuality", "getWork"].includes(
          operation.operationId,
        )
      ) {
        expect(structureOf(body)).toEqual(structureOf(shown));
      } else if (Array.isArray(body)) expect(body).toContainEqual((shown as unknown[])[0]);
      else {
        const { _id, ...labels } = shown as Record<string, unknown>;
        expect(body).toMatchObject(labels);
      }
    }
    expect(examples.size).toBe(17);
    expect(await get<unknown>(`/api/isbn/${exampleSummary.isbn}?view=summary`)).toEqual(exampleSummary);
  });

  test("can be undone while it is served, and the undo can be undone", async () => {
    const undo = (number: string) =>
      colophon(["history", "undo", number, "--db", join(folder, "catalog.db")]);
    expect((await undo("1")).stdout).toStartWith(
      "Import 1 is undone, and the catalog is as before the first import: ",
    );
    expect(await get<string[]>("/api/skus")).toEqual([]);
    expect((await undo("2")).stdout).toContain("as after import 1");
    expect((await get<string[]>("/api/skus")).length).toBeGreaterThanOrEqual(200);
  });
});

describe("the dates of the sample", () => {
  test("put a book within the last 90 days on each day for five years after any import", async () => {
    const xml = await Bun.file(SAMPLE).text();
    for (const today of ["20260901", "20261115", "20280229", "20400101"] as Day[]) {
      const days = publicationDays(moveDates(today, xml));
      for (let ahead = 0; ahead <= 5 * 365; ahead += 5) {
        const day = subtractDays(today, -ahead);
        const news = days.filter((each) => each >= subtractDays(day, 90) && each <= day);
        expect([today, day, news.length > 0]).toEqual([today, day, true]);
      }
    }
  });

  test("leave past publication dates unchanged", async () => {
    const xml = await Bun.file(SAMPLE).text();
    const old = (text: string) => publicationDays(text).filter((day) => day < "20260101");
    expect(old(moveDates("20300101" as Day, xml))).toEqual(old(xml));
    expect(old(xml).length).toBeGreaterThan(100);
  });
});

function publicationDays(xml: string): string[] {
  return [...xml.matchAll(/<PublishingDateRole>01<\/PublishingDateRole>\s*<Date[^>]*>(\d{8})</g)].map(
    ([, day]) => day!,
  );
}

test("the sample has what the tests and the demonstration need", () => {
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, "scripts/check-sample.ts"], {
    cwd: join(import.meta.dir, ".."),
  });
  expect([exitCode, stdout.toString().match(/^FAIL.*$/gm)]).toEqual([0, null]);
  expect(stdout.toString()).toContain("ok   books: ");
});

const schema = sharedFile("onix/schemas/3.1/ONIX_BookProduct_3.1_reference.xsd");
const isSkipped = schema.missing || isProgramMissing("xmllint");
test.skipIf(isSkipped)("the sample is valid ONIX 3.1 (skipped without ../shared or xmllint)", async () => {
  const validation = await runProgram(["xmllint", "--noout", "--nonet", "--schema", schema.path, SAMPLE]);
  expect(validation).toEqual({ code: 0, stdout: "", stderr: `${SAMPLE} validates\n` });
});
