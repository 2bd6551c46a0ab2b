import { describe, expect, test } from "bun:test";
import { complaintsOn, detailFrom, recordFrom } from "../testing/scan-message.ts";
import type { RecordFields } from "./record-fields.ts";

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

  test("is a single value plus #more for an element that may occur only once, with a complaint", async () => {
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
    expect(await complaintsOn({ detail: twice })).toEqual([
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

describe("attributes", () => {
  test("lose their prefixes, except xml, and namespace and schema declarations are dropped", async () => {
    const { Extent } = await detailFrom(
      '<Extent xmlns:q="urn:q" q:a="1" xml:lang="fr" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
        ' xsi:nil="true" q:datestamp="2" datestamp="3"/>',
    );
    expect(JSON.stringify(Extent)).toBe('{"@a":"1","@xml:lang":"fr","@datestamp":"3"}');
  });

  test("have normalised whitespace, and references resolved", async () => {
    const { Extent } = await detailFrom('<Extent a=" x\ty\r\n&amp;&quot;\\&#10; " b=\'"\'/>');
    expect(Extent).toEqual({ "@a": ' x y &"\\\n ', "@b": '"' });
  });

  test("may be called like members of objects", async () => {
    const { Extent } = await detailFrom('<Extent __proto__="x" constructor="y"/>');
    expect(JSON.stringify(Extent)).toBe('{"@__proto__":"x","@constructor":"y"}');
  });
});

describe("the record contains, with a complaint,", () => {
  test("an unknown element", async () => {
    const xml = '<Extra a="1"><Part>x</Part></Extra><__proto__>y</__proto__>';
    const fields = await detailFrom(xml);
    expect(fields.Extra).toEqual([{ "@a": "1", Part: ["x"] }]);
    expect(Object.entries(fields).find(([name]) => name === "__proto__")).toEqual(["__proto__", ["y"]]);
    expect((await complaintsOn({ detail: xml }))[0]).toBe(
      "unknown-element: Extra is not an element of ONIX 3.",
    );
  });

  test("an unknown child of the product, even when it is called __proto__", async () => {
    const body = JSON.stringify(await recordFrom({ blocks: "<__proto__>y</__proto__><Extra>x</Extra>" }));
    expect(body).toEndWith(',"__proto__":["y"],"Extra":["x"]}');
  });

  test.each([
    [
      "a misplaced element",
      "<PublisherName>x</PublisherName>",
      { PublisherName: ["x"] },
      "misplaced-element: PublisherName is not allowed in DescriptiveDetail.",
    ],
    [
      "an unknown code",
      "<ProductPackaging>ZZ9</ProductPackaging>",
      { ProductPackaging: "ZZ9" },
      'unknown-code: ProductPackaging has the code "ZZ9", which is not in list 80.',
    ],
    [
      "text between elements",
      "loose",
      { "#text": "loose" },
      "stray-text: There is text between the elements of DescriptiveDetail.",
    ],
    [
      "a repeated element in another place",
      "<Extent><ExtentType>00</ExtentType><ExtentValue>1</ExtentValue><ExtentType>08</ExtentType></Extent>",
      { Extent: { ExtentType: "00", "ExtentType#more": ["08"], ExtentValue: "1" } },
      "repeated-element: ExtentType may occur only once in Extent.",
    ],
  ])("%s", async (_, detail, fields, complaint) => {
    const found = await detailFrom(detail);
    expect(found).toEqual({ ...found, ...fields });
    expect(await complaintsOn({ detail })).toEqual([complaint]);
  });

  test("everything of a product inside a product", async () => {
    const inner = "<Product><RecordReference>inner</RecordReference>stray<_id>x</_id></Product>";
    expect((await detailFrom(inner)).Product).toEqual([
      { RecordReference: "inner", _id: ["x"], "#text": "stray" },
    ]);
  });

  test("an unknown child of the product that is called _id, but not in its record", async () => {
    expect((await recordFrom({ blocks: "<_id>x</_id>" }))._id).toBe("000000000009788437604947");
    expect(await complaintsOn({ blocks: "<_id>x</_id>" })).toEqual([
      "unknown-element: _id is not an element of ONIX 3.",
    ]);
  });
});

describe("elements out of order", () => {
  test("are in the order of ONIX, and elements of one name in the order of the feed", async () => {
    const xml =
      "<Measure><Measurement>1</Measurement>\n<MeasureType>01</MeasureType></Measure><Collection\n/>" +
      "<Contributor><PersonName>A</PersonName></Contributor><Extent><ExtentType>00</ExtentType></Extent>" +
      "<Foo>1</Foo><EditionNumber>2</EditionNumber><Contributor><PersonName>B</PersonName></Contributor><Foo>2</Foo>";
    const { Language: _, TitleDetail: __, ...fields } = await detailFrom(xml);
    expect(JSON.stringify(fields)).toBe(
      '{"ProductComposition":"00","ProductForm":"BC","Measure":[{"MeasureType":"01","Measurement":"1"}],' +
        '"Collection":[{}],"Contributor":[{"PersonName":"A"},{"PersonName":"B"}],"EditionNumber":"2",' +
        '"Extent":{"ExtentType":"00"},"Foo":["1","2"]}',
    );
    expect(await complaintsOn({ detail: xml })).toEqual([
      "unknown-element: Foo is not an element of ONIX 3.",
    ]);
  });

  test("have their attributes in the order of the values", async () => {
    const text = '<Text>a</Text><SourceTitle>b</SourceTitle><Text language="spa">c</Text>';
    const { CollateralDetail } = await recordFrom({ text });
    expect((CollateralDetail as RecordFields).TextContent).toEqual([
      {
        TextType: "03",
        ContentAudience: "00",
        Text: ["a", "c"],
        "Text@language": [null, "spa"],
        SourceTitle: ["b"],
      },
    ]);
  });

  test("may be the blocks of the product", async () => {
    const blocks = "<ProductSupply/><Zoo/><PublishingDetail/><DescriptiveDetail/><CollateralDetail/>";
    const names = Object.keys(await recordFrom({ blocks })).slice(-5);
    expect(names).toEqual([
      "DescriptiveDetail",
      "CollateralDetail",
      "PublishingDetail",
      "ProductSupply",
      "Zoo",
    ]);
  });
});
