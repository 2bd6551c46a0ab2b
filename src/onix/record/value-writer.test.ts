import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { complaintsOn, detailFrom, readOne, recordFrom } from "../testing/scan-message.ts";
import type { RecordFields } from "./record-fields.ts";

describe("flags", () => {
  test("NoCollection and NoEdition are present exactly when they are true", async () => {
    const none = await detailFrom("");
    expect([none.NoCollection, none.NoEdition]).toEqual([[], []]);
    const sent = await detailFrom("<NoEdition/><NoCollection/>");
    expect([sent.NoCollection, sent.NoEdition]).toEqual([[], []]);
    const both = await detailFrom(
      "<Collection><CollectionType>10</CollectionType></Collection><EditionNumber>2</EditionNumber>",
    );
    expect(both).not.toHaveProperty("NoCollection");
    expect(both).not.toHaveProperty("NoEdition");
  });

  test("a flag that contradicts other elements is removed, with a complaint", async () => {
    const xml = "<NoEdition/><EditionNumber>2</EditionNumber>";
    expect(await detailFrom(xml)).not.toHaveProperty("NoEdition");
    expect(await complaintsOn({ detail: xml })).toEqual([
      "contradiction: NoEdition contradicts other elements of the product.",
    ]);
  });

  test("MainSubject is in every Subject", async () => {
    const { Subject } = await detailFrom(
      "<Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier></Subject><Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier></Subject>",
    );
    expect(Subject).toEqual([
      { MainSubject: ["true"], SubjectSchemeIdentifier: "93" },
      { MainSubject: [], SubjectSchemeIdentifier: "20" },
    ]);
  });

  test.each(["false", "0", "no", "FALSE", " No "])(
    "MainSubject is [] for <MainSubject>%s</MainSubject>",
    async (text) => {
      const xml = `<Subject><MainSubject>${text}</MainSubject><SubjectCode>FB</SubjectCode></Subject>`;
      const { Subject } = await detailFrom(xml);
      expect(Subject).toEqual([{ MainSubject: [], "MainSubject#text": text.trim(), SubjectCode: "FB" }]);
      const { complaints } = await readOne({ detail: xml });
      expect(complaints).toEqual([
        {
          kind: "negated-flag",
          text: `MainSubject has the text "${text.trim()}".`,
          line: expect.any(Number),
          column: expect.any(Number),
          element: "MainSubject",
          value: text.trim(),
        },
      ]);
    },
  );

  test.each([
    ["true", "true"],
    ["yes &amp; no", "yes &amp; no"],
    ["<b>x</b>", "<b>x</b>"],
  ])('MainSubject is ["true"] for <MainSubject>%s</MainSubject>, with a complaint', async (content, text) => {
    const xml = `<Subject><MainSubject>${content}</MainSubject></Subject>`;
    expect((await detailFrom(xml)).Subject).toEqual([{ MainSubject: ["true"], "MainSubject#text": text }]);
    expect(await complaintsOn({ detail: xml })).toEqual(["stray-text: MainSubject should be empty."]);
  });

  test("MainSubject may contain whitespace and comments", async () => {
    const xml = "<Subject><MainSubject> <!-- x -->&#10;</MainSubject></Subject>";
    expect((await detailFrom(xml)).Subject).toEqual([{ MainSubject: ["true"] }]);
    expect(await complaintsOn({ detail: xml })).toEqual([]);
  });

  test("other flags keep their content and attributes, with a complaint", async () => {
    const xml = '<NoContributor datestamp="20240101">a &lt; <b>x</b></NoContributor>';
    const fields = await detailFrom(xml);
    expect(fields.NoContributor).toEqual(["a &lt; <b>x</b>"]);
    expect(fields["NoContributor@datestamp"]).toBe("20240101");
    expect(await complaintsOn({ detail: xml })).toEqual(["stray-text: NoContributor should be empty."]);
  });

  test("the content of a flag that is removed has a complaint", async () => {
    const xml = "<NoEdition>x</NoEdition><EditionNumber>2</EditionNumber>";
    expect(await detailFrom(xml)).not.toHaveProperty("NoEdition");
    expect(await complaintsOn({ detail: xml })).toEqual([
      "contradiction: NoEdition contradicts other elements of the product.",
      "stray-text: NoEdition should be empty.",
    ]);
  });

  test("a flag of a repeated block is not removed", async () => {
    const blocks =
      "<DescriptiveDetail><NoEdition/><EditionNumber>2</EditionNumber></DescriptiveDetail>" +
      "<DescriptiveDetail><NoEdition/></DescriptiveDetail>";
    expect(await recordFrom({ blocks })).toMatchObject({
      DescriptiveDetail: { NoCollection: [], EditionNumber: "2" },
      "DescriptiveDetail#more": [{ NoEdition: [] }],
    });
  });

  test("a repeated flag is one, with a complaint", async () => {
    const xml = "<NoContributor/><NoContributor/>";
    expect((await detailFrom(xml)).NoContributor).toEqual([]);
    expect(await complaintsOn({ detail: xml })).toEqual([
      "repeated-element: NoContributor may occur only once in DescriptiveDetail.",
    ]);
  });

  test("a misplaced flag is in an array, with its content", async () => {
    const blocks = "<NoContributor/><NoContributor>a &amp; b</NoContributor><MainSubject>x</MainSubject>";
    const record = await recordFrom({ blocks });
    expect(record).toMatchObject({ NoContributor: [[], ["a &amp; b"]], MainSubject: [["x"]] });
  });

  test("MainSubject comes after the attributes of a Subject", async () => {
    const { Subject } = await detailFrom(
      '<Subject sourcename="x"><MainSubject/></Subject><Subject sourcename="y"/>',
    );
    expect(JSON.stringify(Subject)).toBe(
      '[{"@sourcename":"x","MainSubject":["true"]},{"@sourcename":"y","MainSubject":[]}]',
    );
  });

  test("other flags are [] when present", async () => {
    expect((await detailFrom("<NoContributor/>")).NoContributor).toEqual([]);
    expect(await detailFrom("")).not.toHaveProperty("NoContributor");
  });
});

describe("texts", () => {
  async function textFrom(xml: string): Promise<RecordFields> {
    const { CollateralDetail } = await recordFrom({ text: xml });
    return ((CollateralDetail as RecordFields).TextContent as RecordFields[])[0]!;
  }

  test("are strings", async () => {
    expect(await textFrom("<Text>Plain</Text>")).toEqual({
      TextType: "03",
      ContentAudience: "00",
      Text: "Plain",
    });
  });

  test("become a string of markup when they contain XHTML", async () => {
    const { Text } = await textFrom(
      '<Text textformat="05"><p class="a&quot;b">One &amp; <em>two</em><br/></p></Text>',
    );
    expect(Text).toBe('<p class="a&quot;b">One &amp; <em>two</em><br/></p>');
  });

  test("contain one-tag elements only for the void elements of HTML", async () => {
    const { Text } = await textFrom(
      '<Text textformat="05"><p/><em id="x"></em><br></br><BR/><hr id="y"/></Text>',
    );
    expect(Text).toBe('<p></p><em id="x"></em><br/><BR/><hr id="y"/>');
  });

  test("are unescaped once when they contain escaped markup or CDATA", async () => {
    expect((await textFrom("<Text>&lt;p&gt;a &amp;amp; b&lt;/p&gt;</Text>")).Text).toBe("<p>a &amp; b</p>");
    expect((await textFrom("<Text><![CDATA[<p>a &amp; b</p>]]></Text>")).Text).toBe("<p>a &amp; b</p>");
  });

  test("keep line feeds and inner whitespace, but lose whitespace at both ends", async () => {
    expect((await textFrom("<Text> \n One\n  two\u00A0\n </Text>")).Text).toBe("One\n  two\u00A0");
  });

  test("lose whitespace at both ends, but no no-break space, however it is written", async () => {
    const unit = fc.constantFrom(
      " ",
      "\n",
      "\t",
      "\r",
      "x",
      "\u00A0",
      "&#32;",
      "&#x9;",
      "&#10;",
      "<![CDATA[ ]]>",
      "<!---->",
    );
    const decode = (xml: string) =>
      xml
        .replace(/\r\n?/g, "\n")
        .replace(/<!\[CDATA\[ \]\]>|&#32;/g, " ")
        .replaceAll("<!---->", "")
        .replaceAll("&#x9;", "\t")
        .replaceAll("&#10;", "\n");
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 12 }), async (xml) => {
        const text = decode(xml).replace(/^[ \t\n]+|[ \t\n]+$/g, "");
        expect((await textFrom(`<Text>${xml}</Text>`)).Text).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test("are read in linear time when they have a long run of whitespace", async () => {
    const text = `x${" \n".repeat(1_900_000)}x`;
    expect((await textFrom(`<Text>${text}</Text>`)).Text).toBe(text);
  });

  test("have their attributes beside them, in the shape of the value", async () => {
    expect(await textFrom('<Text language="eng">One</Text>')).toMatchObject({
      Text: "One",
      "Text@language": "eng",
    });
    expect(await textFrom('<Text>Uno</Text><Text language="eng">One</Text>')).toMatchObject({
      Text: ["Uno", "One"],
      "Text@language": [null, "eng"],
    });
  });

  test("have attributes beside them, but composites have theirs inside", async () => {
    const { Extent } = await detailFrom('<Extent sourcename="x"><ExtentType>00</ExtentType></Extent>');
    expect(Extent).toEqual({ "@sourcename": "x", ExtentType: "00" });
  });
});

describe("territories", () => {
  const territory = (xml: string) => ({
    blocks: `<PublishingDetail><SalesRights><SalesRightsType>01</SalesRightsType><Territory>${xml}</Territory></SalesRights></PublishingDetail>`,
  });

  test.each([
    ["<CountriesIncluded>ES FR\n  PT</CountriesIncluded><RegionsIncluded>GB-EWS</RegionsIncluded>", []],
    ["<RegionsIncluded>WORLD</RegionsIncluded><CountriesExcluded>US</CountriesExcluded>", []],
    ["<CountriesIncluded/>", []],
    ["<CountriesIncluded>ES,FR</CountriesIncluded>", ['CountriesIncluded has the code "ES,FR"']],
    [
      "<CountriesIncluded>uk ES fr uk</CountriesIncluded>",
      ['CountriesIncluded has the code "uk"', 'CountriesIncluded has the code "fr"'],
    ],
    ["<CountriesExcluded>WORLD</CountriesExcluded>", ['CountriesExcluded has the code "WORLD"']],
    ["<RegionsExcluded>ES</RegionsExcluded>", ['RegionsExcluded has the code "ES"']],
  ])("%s has a complaint for each unknown code", async (xml, expected) => {
    const complaints = await complaintsOn(territory(xml));
    expect(
      complaints.map((text) => text.replace(/^unknown-code: |, which is not in list (91|49)\.$/g, "")),
    ).toEqual(expected);
  });

  test("a value with many unknown codes has 20 complaints", async () => {
    const codes = Array.from({ length: 1000 }, (_, index) => `X${index}`).join(" ");
    expect(await complaintsOn(territory(`<CountriesIncluded>${codes}</CountriesIncluded>`))).toHaveLength(20);
  });

  test("of a value with thousands of codes, the first 5000 are checked", async () => {
    const complaintsAfter = (count: number) =>
      complaintsOn(territory(`<CountriesIncluded>${"ES ".repeat(count)}XX1</CountriesIncluded>`));
    expect(await complaintsAfter(4999)).toHaveLength(1);
    expect(await complaintsAfter(5000)).toEqual([]);
  });
});
