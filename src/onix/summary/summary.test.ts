import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { areSamplesMissing, readSamples } from "../testing/samples.ts";
import { scanMessage } from "../testing/scan-message.ts";
import {
  summaryOfBlocks as fromBlocks,
  parseSummary as parse,
  summaryOf as summaryFrom,
} from "../testing/summaries.ts";
import type { Summary } from "./summary.ts";

const FIELDS =
  "isbn isbn10 title subtitle collection contributors imprint publisher published status form languages pages subjects audience prices availability description cover updated partNumber partTitle collectionNumber formDetail editionNumber editionTypes duration markets rights workId".split(
    " ",
  );

function fromDetail(xml: string): Promise<Summary> {
  return fromBlocks(`<DescriptiveDetail>${xml}</DescriptiveDetail>`);
}

function fromCollateral(xml: string): Promise<Summary> {
  return fromBlocks(`<CollateralDetail>${xml}</CollateralDetail>`);
}

const PRICE_FIELDS =
  "amount currency type from until territory qualifier conditions minimumQuantity taxes".split(" ");

/** The fields that are numbers or lists. All others are texts. */
const NUMBERS = ["pages", "editionNumber", "duration", "minimumQuantity"];
const CODES = ["languages", "audience", "formDetail", "editionTypes", "roles"];
const LISTS: Readonly<Record<string, readonly string[]>> = {
  contributors: ["name", "role", "roles"],
  subjects: ["scheme", "code", "text"],
  prices: PRICE_FIELDS,
  conditions: ["type", "quantity", "unit"],
  taxes: ["type", "rate", "percent", "taxable", "amount"],
  constraints: ["type", "status", "quantity", "unit"],
  markets: ["territory", "availability"],
  rights: ["exclusive", "nonExclusive", "notForSale"],
};
/** They are there when they were sent. */
const OPTIONAL = ["constraints", "per"];
const DECIMALS = ["amount", "quantity", "percent", "taxable"];

/** Throws unless the value has all fields, in their order and of their types. */
function expectSummary(summary: Summary): void {
  expectMembers(summary, FIELDS);
  expect(summary.isbn).toMatch(/^[0-9]{13}$/);
}

function expectMembers(object: object, names: readonly string[]): void {
  expect(Object.keys(object).filter((name) => !OPTIONAL.includes(name))).toEqual([...names]);
  for (const [name, value] of Object.entries(object)) {
    if (CODES.includes(name)) expect(value.every((code: unknown) => typeof code === "string")).toBe(true);
    else if (name === "rights") value === null || expectMembers(value, LISTS[name]!);
    else if (LISTS[name]) for (const item of value) expectMembers(item, LISTS[name]);
    else if (value !== null)
      expect([name, typeof value]).toEqual([name, NUMBERS.includes(name) ? "number" : "string"]);
    if (DECIMALS.includes(name) && value !== null) expect(value).toMatch(/^[0-9]+(\.[0-9]+)?$/);
  }
}

test("summaryOfBody returns all fields of a product without blocks, as null or empty", async () => {
  const summary = await fromBlocks("");
  expectSummary(summary);
  const { isbn, isbn10, ...others } = summary;
  expect([isbn, isbn10]).toEqual(["9788437604947", "843760494X"]);
  expect(new Set(Object.values(others).map((value) => JSON.stringify(value)))).toEqual(
    new Set(["null", "[]"]),
  );
});

test("summaryOfBody returns no ISBN-10 for 979, and for a wrong check digit", async () => {
  expect((await summaryFrom({ isbn: "9791034567898" })).isbn10).toBeNull();
  expect((await summaryFrom({ isbn: "9788437604940" })).isbn10).toBeNull();
});

test("summaryOfBody returns the codes of a product as they are", async () => {
  const summary = await summaryFrom({ publisher: "House", languages: ["spa", "ENG"] });
  expect(summary).toMatchObject({
    title: "A title",
    imprint: "Sello",
    publisher: "House",
    published: "2024-01-15",
    status: "04",
    form: "BC",
    languages: ["spa", "eng"],
    availability: "20",
  });
});

test("the imprint of a summary is the publisher when there is none, and the publisher of role 01 comes first", async () => {
  const publisher = (role: string, name: string) =>
    `<Publisher><PublishingRole>${role}</PublishingRole><PublisherName>${name}</PublisherName></Publisher>`;
  const blocks = `<PublishingDetail>${publisher("02", "Co")}${publisher("01", "Main")}</PublishingDetail>`;
  expect(await fromBlocks(blocks)).toMatchObject({ imprint: "Main", publisher: "Main" });
});

describe("the title of a summary", () => {
  const element = (level: string, xml: string) =>
    `<TitleElement><TitleElementLevel>${level}</TitleElementLevel>${xml}</TitleElement>`;
  const title = (type: string, ...elements: string[]) =>
    `<TitleDetail><TitleType>${type}</TitleType>${elements.join("")}</TitleDetail>`;
  const text = (value: string) => `<TitleText>${value}</TitleText>`;
  const withPrefix = (prefix: string, rest: string) =>
    `<TitlePrefix>${prefix}</TitlePrefix><TitleWithoutPrefix>${rest}</TitleWithoutPrefix>`;
  const collection = (type: string, name: string) =>
    `<Collection><CollectionType>${type}</CollectionType>${title("01", element("02", text(name)))}</Collection>`;

  test.each([
    ["The", "Trial", "The Trial"],
    ["L’", "Étranger", "L’Étranger"],
    ["L'", "Étranger", "L'Étranger"],
  ])("joins the prefix %s and the rest", async (prefix, rest, joined) => {
    expect((await fromDetail(title("01", element("01", withPrefix(prefix, rest))))).title).toBe(joined);
  });

  test("is that of type 01 and of the level of the product, with its subtitle", async () => {
    const own = element("01", `${text("Own")}<Subtitle>Sub</Subtitle>`);
    const detail =
      title("03", element("01", text("Original"))) + title("01", element("02", text("Set")), own);
    expect(await fromDetail(detail)).toMatchObject({ title: "Own", subtitle: "Sub", collection: "Set" });
  });

  test("tells the volumes of a work apart by their numbers and titles", async () => {
    const volume = element("01", `<PartNumber>Vol. 3</PartNumber>${text("Irruzioni")}`);
    expect(await fromDetail(title("01", volume))).toMatchObject({
      title: "Irruzioni",
      partNumber: "Vol. 3",
      partTitle: null,
    });
    const part = element("01", `<PartNumber>3</PartNumber>${text("Il mare")}`);
    expect(await fromDetail(title("01", element("01", text("Irruzioni")), part))).toMatchObject({
      title: "Irruzioni",
      partNumber: "3",
      partTitle: "Il mare",
    });
    const annual = element("01", `<YearOfAnnual>2024</YearOfAnnual>${text("Annual")}`);
    expect((await fromDetail(title("01", annual))).partNumber).toBe("2024");
  });

  test("has no markup, entities and repeated spaces", async () => {
    const untidy = `${text("La  guida dell&amp;#39;&lt;i&gt;investitore&lt;/i&gt;\n")}<Subtitle>A &amp;amp;  B</Subtitle>`;
    const set = element("02", text("Tom &amp;amp; Jerry"));
    expect(await fromDetail(title("01", element("01", untidy), set))).toMatchObject({
      title: "La guida dell'investitore",
      subtitle: "A & B",
      collection: "Tom & Jerry",
    });
  });

  const numbered = (xml: string, more = "") =>
    `<Collection><CollectionType>10</CollectionType>${xml}${more}</Collection>`;
  const sequence = (type: string, number: string) =>
    `<CollectionSequence><CollectionSequenceType>${type}</CollectionSequenceType><CollectionSequenceNumber>${number}</CollectionSequenceNumber></CollectionSequence>`;
  const part8 = element("02", `<PartNumber>8</PartNumber>${text("Semicolon")}`);
  const ofSeries = title("01", element("02", text("Semicolon")));
  test.each([
    ["beside the title of the collection", numbered(title("01", part8))],
    [
      "at the level of the product",
      numbered(title("01", element("02", text("Semicolon")), element("01", "<PartNumber>8</PartNumber>"))),
    ],
    ["in a sequence", numbered(sequence("06", "2") + sequence("03", "8") + ofSeries)],
    ["in the title of the product", title("01", part8, element("01", text("T")))],
    ["in both", numbered(title("01", part8)) + title("01", part8, element("01", text("T")))],
    ["in the title of the product alone", numbered(ofSeries) + title("01", part8, element("01", text("T")))],
  ])("has the number in the collection once, %s", async (_, xml) => {
    expect(await fromDetail(xml)).toMatchObject({ collection: "Semicolon", collectionNumber: "8" });
  });

  test("has no number in the collection that is one in a subcollection", async () => {
    const watch = element("03", `<PartNumber>3</PartNumber>${text("City Watch")}`);
    const discworld = title("01", element("02", text("Discworld")), watch);
    expect(await fromDetail(numbered(discworld))).toMatchObject({
      collection: "Discworld",
      collectionNumber: null,
    });
  });

  test("is that of the collection with the number of the volume, when the volume has no title", async () => {
    const volume = element("01", "<PartNumber>Vol. 3</PartNumber>");
    expect(await fromDetail(title("01", volume, element("02", text("History"))))).toMatchObject({
      title: "History, Vol. 3",
      partNumber: "Vol. 3",
    });
    expect(await fromDetail(collection("10", "Series"))).toMatchObject({
      title: "Series",
      subtitle: null,
      collection: "Series",
    });
  });

  test("has the collection of the publisher before an ascribed one", async () => {
    const detail = `${collection("20", "Ascribed")}${collection("10", "Publisher's")}${title("01", element("01", text("T")))}`;
    expect((await fromDetail(detail)).collection).toBe("Publisher's");
    expect((await fromDetail(collection("20", "Ascribed"))).collection).toBe("Ascribed");
  });
});

describe("the contributors of a summary", () => {
  const contributor = (number: string, xml: string, role = "A01") =>
    `<Contributor>${number && `<SequenceNumber>${number}</SequenceNumber>`}<ContributorRole>${role}</ContributorRole>${xml}</Contributor>`;

  test("are in the order of their numbers, those without one last", async () => {
    const person = (name: string) => `<PersonName>${name}</PersonName>`;
    const detail = [
      contributor("", person("Last")),
      contributor("10", person("Third"), "B06"),
      contributor("2", person("Second")),
      contributor("1", `<ContributorRole>A12</ContributorRole>${person("First")}`),
    ];
    expect((await fromDetail(detail.join(""))).contributors).toEqual([
      { name: "First", role: "A01", roles: ["A01", "A12"] },
      { name: "Second", role: "A01", roles: ["A01"] },
      { name: "Third", role: "B06", roles: ["B06"] },
      { name: "Last", role: "A01", roles: ["A01"] },
    ]);
  });

  test.each([
    ["<PersonName>Ana Ruiz</PersonName><PersonNameInverted>Ruiz, Ana</PersonNameInverted>", "Ana Ruiz"],
    [
      "<NamesBeforeKey>Ludwig</NamesBeforeKey><PrefixToKey>van</PrefixToKey><KeyNames>Beethoven</KeyNames>",
      "Ludwig van Beethoven",
    ],
    [
      "<NamesBeforeKey>Jean</NamesBeforeKey><PrefixToKey>d’</PrefixToKey><KeyNames>Ormesson</KeyNames>",
      "Jean d’Ormesson",
    ],
    ["<PersonNameInverted>Ormesson, Jean d’</PersonNameInverted>", "Jean d’Ormesson"],
    ["<PersonNameInverted>García Márquez, Gabriel</PersonNameInverted>", "Gabriel García Márquez"],
    ["<PersonNameInverted>King, Martin Luther, Jr</PersonNameInverted>", "King, Martin Luther, Jr"],
    ["<CorporateName>UNESCO</CorporateName>", "UNESCO"],
    ["<PersonName>Flann  O&amp;#39;Brien</PersonName>", "Flann O'Brien"],
    ["<AlternativeName><NameType>01</NameType><PersonName>Clarín</PersonName></AlternativeName>", "Clarín"],
    ["<UnnamedPersons>04</UnnamedPersons>", null],
  ])("have the name of %s", async (xml, name) => {
    expect((await fromDetail(contributor("1", xml))).contributors).toEqual([
      { name, role: "A01", roles: ["A01"] },
    ]);
  });
});

describe("the extents of a summary", () => {
  const extent = (type: string, value: string, unit = "03") =>
    `<Extent><ExtentType>${type}</ExtentType><ExtentValue>${value}</ExtentValue><ExtentUnit>${unit}</ExtentUnit></Extent>`;

  test.each([
    [extent("07", "340") + extent("00", "320"), 320],
    [extent("00", "many") + extent("07", "340"), 340],
    [extent("09", "90", "05") + extent("03", "12"), null],
    [extent("08", "210"), 210],
  ])("have the preferred page count of %s", async (xml, pages) => {
    expect((await fromDetail(xml)).pages).toBe(pages);
  });

  test.each([
    ["10.5", "04", 630],
    ["90", "05", 90],
    ["5400", "06", 90],
    ["12", "14", 720],
    ["01230", "15", 750],
    ["45", "15", 45],
    ["0123045", "16", 751],
    ["45", "16", 1],
    ["10h", "15", null],
    ["300", "03", null],
  ])("have the minutes of %s in the unit %s", async (value, unit, duration) => {
    expect((await fromDetail(extent("09", value, unit))).duration).toBe(duration);
  });

  test("have the duration before that of the main content", async () => {
    expect((await fromDetail(extent("14", "80", "05") + extent("09", "90", "05"))).duration).toBe(90);
  });
});

test("a summary has the details of the form, and the number and types of the edition", async () => {
  const detail =
    "<ProductForm>ED</ProductForm><ProductFormDetail>E101</ProductFormDetail><ProductFormDetail>E200</ProductFormDetail>" +
    "<EditionType>REV</EditionType><EditionType>ILL</EditionType><EditionNumber>2</EditionNumber>";
  expect(await fromDetail(detail)).toMatchObject({
    formDetail: ["E101", "E200"],
    editionNumber: 2,
    editionTypes: ["REV", "ILL"],
  });
  expect((await fromDetail("<EditionNumber>second</EditionNumber>")).editionNumber).toBeNull();
});

test("the subjects of a summary begin with the main subject, and the audience has codes of list 28", async () => {
  const subject = (xml: string) => `<Subject>${xml}</Subject>`;
  const scheme = (code: string) => `<SubjectSchemeIdentifier>${code}</SubjectSchemeIdentifier>`;
  const audience = (type: string, value: string) =>
    `<Audience><AudienceCodeType>${type}</AudienceCodeType><AudienceCodeValue>${value}</AudienceCodeValue></Audience>`;
  const detail = [
    subject(`${scheme("20")}<SubjectHeadingText>novela; amor</SubjectHeadingText>`),
    subject(scheme("12")),
    subject(`<MainSubject/>${scheme("93")}<SubjectCode>FBA</SubjectCode>`),
    audience("01", "01"),
    audience("22", "00"),
    audience("01", "05"),
  ];
  expect(await fromDetail(detail.join(""))).toMatchObject({
    subjects: [
      { scheme: "93", code: "FBA", text: null },
      { scheme: "20", code: null, text: "novela; amor" },
    ],
    audience: ["01", "05"],
  });
});

describe("the description of a summary", () => {
  const content = (type: string, audience: string, text: string, attributes = "") =>
    `<TextContent><TextType>${type}</TextType>${audience && `<ContentAudience>${audience}</ContentAudience>`}<Text${attributes}>${text}</Text></TextContent>`;

  test.each([
    ["type 03 before 02", content("02", "00", "Short") + content("03", "00", "Long"), "Long"],
    ["type 02 before 05", content("05", "00", "Copy") + content("02", "00", "Short"), "Short"],
    ["everybody before end customers", content("03", "03", "B") + content("03", "00", "A"), "A"],
    ["end customers before the trade", content("03", "02", "B") + content("03", "03", "A"), "A"],
    ["nothing that is restricted", content("03", "01", "Secret") + content("02", "00", "Public"), "Public"],
    ["no review", content("06", "00", "Great"), null],
    [
      "plain text",
      content("03", "", "<p>One &amp; two</p><p>Three</p>", ' textformat="05"'),
      "One & two\nThree",
    ],
    [
      "escaped markup as plain text",
      content("03", "00", "&lt;p&gt;A&amp;eacute;&lt;br&gt;B&lt;/p&gt;", ' textformat="02"'),
      "Aé\nB",
    ],
  ])("is %s", async (_, xml, description) => {
    expect((await fromCollateral(xml)).description).toBe(description);
  });

  test("is in a language of the book", async () => {
    const texts =
      content("03", "00", "English", ' language="eng"') + content("03", "00", "Español", ' language="spa"');
    const language = "<Language><LanguageRole>01</LanguageRole><LanguageCode>spa</LanguageCode></Language>";
    const blocks = `<DescriptiveDetail>${language}</DescriptiveDetail><CollateralDetail>${texts}</CollateralDetail>`;
    expect((await fromBlocks(blocks)).description).toBe("Español");
    expect((await fromCollateral(texts)).description).toBe("English");
  });
});

describe("the cover of a summary", () => {
  const version = (form: string, ...links: string[]) =>
    `<ResourceVersion><ResourceForm>${form}</ResourceForm>${links.map((link) => `<ResourceLink>${link}</ResourceLink>`).join("")}</ResourceVersion>`;
  const resource = (type: string, mode: string, versions: string, audience = "00") =>
    `<SupportingResource><ResourceContentType>${type}</ResourceContentType><ContentAudience>${audience}</ContentAudience><ResourceMode>${mode}</ResourceMode>${versions}</SupportingResource>`;
  const [A, B] = ["https://a.example/a.jpg", "https://a.example/b.jpg"];

  test.each([
    ["the front cover", resource("02", "03", version("02", B)) + resource("01", "03", version("02", A)), A],
    [
      "the front cover before the pack",
      resource("03", "03", version("02", B)) + resource("01", "03", version("01", A)),
      A,
    ],
    [
      "the pack without a front cover",
      resource("02", "03", version("02", B)) + resource("03", "03", version("02", A)),
      A,
    ],
    ["an image", resource("01", "04", version("02", A)), null],
    ["a file before a page", resource("01", "03", version("01", B) + version("02", A)), A],
    ["a page when there is no file", resource("01", "03", version("02", "a.jpg") + version("01", A)), A],
    ["nothing but http and https", resource("01", "03", version("02", "javascript:x", "ftp://a/b", A)), A],
    ["nothing that is restricted", resource("01", "03", version("02", A), "01"), null],
    ["an address over two lines", resource("01", "03", version("02", "https://a.example/\n    a.jpg")), A],
    [
      "an address with a space",
      resource("01", "03", version("02", "https://a.example/a b.jpg")),
      "https://a.example/a%20b.jpg",
    ],
    ["nothing without a host", resource("01", "03", version("02", "https:// a.jpg")), null],
  ])("is %s", async (_, xml, cover) => {
    expect((await fromCollateral(xml)).cover).toBe(cover);
  });
});

test("updated is the latest datestamp of a summary", async () => {
  const detail =
    '<ProductForm datestamp="20240301">BC</ProductForm><Language datestamp="20240409T1200"><LanguageRole>01</LanguageRole></Language>';
  expect((await fromDetail(detail)).updated).toBe("2024-04-09");
  expect((await fromDetail('<ProductForm datestamp="never">BC</ProductForm>')).updated).toBeNull();
});

test("summaryOfBody accepts any shape of a value", () => {
  const names =
    "DescriptiveDetail CollateralDetail PublishingDetail ProductSupply TitleDetail TitleElement Contributor Subject Text TextContent Language Price SupplyDetail ContentAudience Publisher".split(
      " ",
    );
  const shape = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, "", "01", 'é\n"\\', [], {}),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, "Name@datestamp", "TitleDetail#more"), tie("value"), {
        maxKeys: 6,
      }),
    ),
  })).value;
  const block = fc.dictionary(fc.constantFrom(...names), shape, { maxKeys: 4 });
  fc.assert(
    fc.property(block, (record) => {
      const body = new TextEncoder().encode(JSON.stringify({ RecordReference: "9788437604947", ...record }));
      expectSummary(parse(body));
    }),
    { numRuns: 1000 },
  );
});

test("summaryOfBody returns all fields for the sample catalog", async () => {
  const { products } = await scanMessage(
    await Bun.file(join(import.meta.dir, "../../../sample/catalog.xml")).bytes(),
  );
  expect(products.length).toBeGreaterThan(200);
  for (const { body } of products) {
    const summary = parse(body);
    expectSummary(summary);
    for (const field of ["title", "form", "imprint", "description"] as const) {
      expect(summary[field]).not.toBeNull();
    }
  }
});

test.skipIf(areSamplesMissing)(
  "summaryOfBody returns all fields for the products of real senders (skipped without ../shared)",
  async () => {
    let [books, titles] = [0, 0];
    for await (const { scanned } of readSamples()) {
      for (const { body } of scanned.products) {
        if (body.length === 0) continue;
        const summary = parse(body);
        expectSummary(summary);
        books++;
        if (summary.title !== null) titles++;
      }
    }
    expect(books).toBeGreaterThan(100);
    expect(titles / books).toBeGreaterThan(0.9);
  },
);
