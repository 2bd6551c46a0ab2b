import { describe, expect, test } from "bun:test";
import type { RecordFields } from "./record-fields.ts";
import { recordFrom, remarksOn } from "./testing/record.ts";

/** Returns the DescriptiveDetail of a record with the given content. */
async function detailFrom(xml: string): Promise<RecordFields> {
  return (await recordFrom({ detail: xml })).DescriptiveDetail as RecordFields;
}

describe("the arity of a field", () => {
  const author = (name: string) =>
    `<Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>${name}</PersonName></Contributor>`;

  test("is a single value for one element that the specification shows as one value", async () => {
    const one = await detailFrom(author("A"));
    expect(one.Contributor).toEqual({ SequenceNumber: "1", ContributorRole: "A01", PersonName: "A" });
    expect(one.TitleDetail).toEqual({
      TitleType: "01",
      TitleElement: { TitleElementLevel: "01", TitleText: "A title" },
    });
    expect(one.Language).toEqual({ LanguageRole: "01", LanguageCode: "spa" });
  });

  test("is an array for several such elements", async () => {
    expect((await detailFrom(author("A") + author("B"))).Contributor).toBeArrayOfSize(2);
    const roles = await detailFrom(
      "<Contributor><ContributorRole>A01</ContributorRole><ContributorRole>A12</ContributorRole></Contributor>",
    );
    expect((roles.Contributor as RecordFields).ContributorRole).toEqual(["A01", "A12"]);
  });

  test("is an array for every other element that may repeat, even when it occurs once", async () => {
    const { Measure, ProductFormFeature } = await detailFrom(
      "<Measure><MeasureType>01</MeasureType><Measurement>9.5</Measurement><MeasureUnitCode>in</MeasureUnitCode></Measure><ProductFormFeature><ProductFormFeatureType>01</ProductFormFeatureType></ProductFormFeature>",
    );
    expect(Measure).toEqual([{ MeasureType: "01", Measurement: "9.5", MeasureUnitCode: "in" }]);
    expect(ProductFormFeature).toEqual([{ ProductFormFeatureType: "01" }]);
  });

  test("is an array for the precisions and values of a range", async () => {
    const { AudienceRange } = await detailFrom(
      "<AudienceRange><AudienceRangeQualifier>17</AudienceRangeQualifier><AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangeValue>6</AudienceRangeValue><AudienceRangePrecision>04</AudienceRangePrecision><AudienceRangeValue>9</AudienceRangeValue></AudienceRange>",
    );
    expect(AudienceRange).toEqual({
      AudienceRangeQualifier: "17",
      AudienceRangePrecision: ["03", "04"],
      AudienceRangeValue: ["6", "9"],
    });
  });

  test("depends on the parent for elements that the specification shows as one value in one composite", async () => {
    const { Contributor } = await detailFrom(
      "<Contributor><ContributorRole>A01</ContributorRole><CorporateName>C</CorporateName>" +
        "<AlternativeName><NameType>01</NameType><CorporateName>D</CorporateName></AlternativeName></Contributor>",
    );
    expect(Contributor).toEqual({
      ContributorRole: "A01",
      CorporateName: "C",
      AlternativeName: [{ NameType: "01", CorporateName: ["D"] }],
    });
    const { CollateralDetail } = await recordFrom({
      blocks:
        "<CollateralDetail><TextContent><ContentAudience>00</ContentAudience><Text>T</Text></TextContent>" +
        "<SupportingResource><ContentAudience>00</ContentAudience></SupportingResource></CollateralDetail>",
    });
    expect(CollateralDetail).toEqual({
      TextContent: [{ ContentAudience: "00", Text: "T" }],
      SupportingResource: [{ ContentAudience: ["00"] }],
    });
  });

  test("is a single value plus #more for an element that may occur only once, with a remark", async () => {
    const twice =
      '<ProductPackaging>01</ProductPackaging><Extent/><ProductPackaging sourcename="x">02</ProductPackaging>' +
      "<ProductPackaging>03</ProductPackaging>";
    const names = Object.entries(await detailFrom(twice)).slice(2, 6);
    expect(names).toEqual([
      ["ProductPackaging", "01"],
      ["ProductPackaging#more", ["02", "03"]],
      ["ProductPackaging#more@sourcename", ["x", null]],
      ["NoCollection", []],
    ]);
    expect(await remarksOn({ detail: twice })).toEqual([
      "repeated-element: ProductPackaging may occur only once in DescriptiveDetail.",
    ]);
  });

  test("is a single value plus #more for a repeated block", async () => {
    const twice =
      "<DescriptiveDetail/><DescriptiveDetail><EditionNumber>2</EditionNumber></DescriptiveDetail>";
    expect(await recordFrom({ blocks: twice })).toMatchObject({
      DescriptiveDetail: { NoCollection: [], NoEdition: [] },
      "DescriptiveDetail#more": [{ EditionNumber: "2" }],
    });
  });

  test("does not affect the order of fields, which is that of ONIX", async () => {
    const names = Object.keys(
      await detailFrom(
        "<Extent><ExtentType>00</ExtentType></Extent><ProductFormDetail>B105</ProductFormDetail>",
      ),
    );
    expect(names).toEqual([
      "ProductComposition",
      "ProductForm",
      "ProductFormDetail",
      "NoCollection",
      "TitleDetail",
      "NoEdition",
      "Language",
      "Extent",
    ]);
  });
});

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

  test("a flag that contradicts other elements is removed, with a remark", async () => {
    const xml = "<NoEdition/><EditionNumber>2</EditionNumber>";
    expect(await detailFrom(xml)).not.toHaveProperty("NoEdition");
    expect(await remarksOn({ detail: xml })).toEqual([
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

describe("the record contains, with a remark,", () => {
  test("an unknown element", async () => {
    const xml = '<Extra a="1"><Part>x</Part></Extra><__proto__>y</__proto__>';
    const fields = await detailFrom(xml);
    expect(fields.Extra).toEqual([{ "@a": "1", Part: ["x"] }]);
    expect(Object.entries(fields).find(([name]) => name === "__proto__")).toEqual(["__proto__", ["y"]]);
    expect((await remarksOn({ detail: xml }))[0]).toBe("unknown-element: Extra is not an element of ONIX 3.");
  });

  test("an unknown child of the product, even when it is called __proto__", async () => {
    const body = JSON.stringify(await recordFrom({ blocks: "<__proto__>y</__proto__><Extra>x</Extra>" }));
    expect(body).toEndWith(',"__proto__":["y"],"Extra":["x"]}');
  });

  test("a misplaced element", async () => {
    expect((await detailFrom("<PublisherName>x</PublisherName>")).PublisherName).toEqual(["x"]);
    expect(await remarksOn({ detail: "<PublisherName>x</PublisherName>" })).toEqual([
      "misplaced-element: PublisherName is not allowed in DescriptiveDetail.",
    ]);
  });

  test("an unknown code", async () => {
    const xml = "<ProductPackaging>ZZ9</ProductPackaging>";
    expect((await detailFrom(xml)).ProductPackaging).toBe("ZZ9");
    expect(await remarksOn({ detail: xml })).toEqual([
      'unknown-code: ProductPackaging has the code "ZZ9", which is not in list 80.',
    ]);
  });

  test("text between elements", async () => {
    expect((await detailFrom("loose"))["#text"]).toBe("loose");
    expect(await remarksOn({ detail: "loose" })).toEqual([
      "stray-text: There is text between the elements of DescriptiveDetail.",
    ]);
  });
});
