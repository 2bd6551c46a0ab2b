import { describe, expect, test } from "bun:test";
import type { Fields } from "./fields.ts";
import { record, remarks } from "./testing/record.ts";

/** The DescriptiveDetail of a product that has this in it. */
async function detail(xml: string): Promise<Fields> {
  return (await record({ detail: xml })).DescriptiveDetail as Fields;
}

describe("arity comes from the standard", () => {
  const author = (name: string) =>
    `<Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>${name}</PersonName></Contributor>`;

  test("what the specification shows as one value is one when there is one", async () => {
    const one = await detail(author("A"));
    expect(one.Contributor).toEqual({ SequenceNumber: "1", ContributorRole: "A01", PersonName: "A" });
    expect(one.TitleDetail).toEqual({
      TitleType: "01",
      TitleElement: { TitleElementLevel: "01", TitleText: "A title" },
    });
    expect(one.Language).toEqual({ LanguageRole: "01", LanguageCode: "spa" });
  });

  test("and an array when there are several", async () => {
    expect((await detail(author("A") + author("B"))).Contributor).toBeArrayOfSize(2);
    const roles = await detail(
      "<Contributor><ContributorRole>A01</ContributorRole><ContributorRole>A12</ContributorRole></Contributor>",
    );
    expect((roles.Contributor as Fields).ContributorRole).toEqual(["A01", "A12"]);
  });

  test("what else may repeat is an array, also when it does not", async () => {
    const { Measure, ProductFormFeature } = await detail(
      "<Measure><MeasureType>01</MeasureType><Measurement>9.5</Measurement><MeasureUnitCode>in</MeasureUnitCode></Measure><ProductFormFeature><ProductFormFeatureType>01</ProductFormFeatureType></ProductFormFeature>",
    );
    expect(Measure).toEqual([{ MeasureType: "01", Measurement: "9.5", MeasureUnitCode: "in" }]);
    expect(ProductFormFeature).toEqual([{ ProductFormFeatureType: "01" }]);
  });

  test("precisions and values of a range are arrays", async () => {
    const { AudienceRange } = await detail(
      "<AudienceRange><AudienceRangeQualifier>17</AudienceRangeQualifier><AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangeValue>6</AudienceRangeValue><AudienceRangePrecision>04</AudienceRangePrecision><AudienceRangeValue>9</AudienceRangeValue></AudienceRange>",
    );
    expect(AudienceRange).toEqual({
      AudienceRangeQualifier: "17",
      AudienceRangePrecision: ["03", "04"],
      AudienceRangeValue: ["6", "9"],
    });
  });

  test("what it shows as one value in one place only is an array in the others", async () => {
    const { Contributor } = await detail(
      "<Contributor><ContributorRole>A01</ContributorRole><CorporateName>C</CorporateName>" +
        "<AlternativeName><NameType>01</NameType><CorporateName>D</CorporateName></AlternativeName></Contributor>",
    );
    expect(Contributor).toEqual({
      ContributorRole: "A01",
      CorporateName: "C",
      AlternativeName: [{ NameType: "01", CorporateName: ["D"] }],
    });
    const { CollateralDetail } = await record({
      blocks:
        "<CollateralDetail><TextContent><ContentAudience>00</ContentAudience><Text>T</Text></TextContent>" +
        "<SupportingResource><ContentAudience>00</ContentAudience></SupportingResource></CollateralDetail>",
    });
    expect(CollateralDetail).toEqual({
      TextContent: [{ ContentAudience: "00", Text: "T" }],
      SupportingResource: [{ ContentAudience: ["00"] }],
    });
  });

  test("what may stand once but came twice is one value, with the others behind it, and remarked upon", async () => {
    const twice =
      '<ProductPackaging>01</ProductPackaging><Extent/><ProductPackaging sourcename="x">02</ProductPackaging>' +
      "<ProductPackaging>03</ProductPackaging>";
    const names = Object.entries(await detail(twice)).slice(2, 6);
    expect(names).toEqual([
      ["ProductPackaging", "01"],
      ["ProductPackaging#more", ["02", "03"]],
      ["ProductPackaging#more@sourcename", ["x", null]],
      ["NoCollection", []],
    ]);
    expect(await remarks({ detail: twice })).toEqual([
      "repeated-element: ProductPackaging may stand only once in DescriptiveDetail.",
    ]);
  });

  test("so is a block", async () => {
    const twice =
      "<DescriptiveDetail/><DescriptiveDetail><EditionNumber>2</EditionNumber></DescriptiveDetail>";
    expect(await record({ blocks: twice })).toMatchObject({
      DescriptiveDetail: { NoCollection: [], NoEdition: [] },
      "DescriptiveDetail#more": [{ EditionNumber: "2" }],
    });
  });

  test("fields stand in the order of ONIX, whatever the feed's", async () => {
    const names = Object.keys(
      await detail("<Extent><ExtentType>00</ExtentType></Extent><ProductFormDetail>B105</ProductFormDetail>"),
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
  test("NoCollection and NoEdition say what is true, sent or not", async () => {
    const none = await detail("");
    expect([none.NoCollection, none.NoEdition]).toEqual([[], []]);
    const sent = await detail("<NoEdition/><NoCollection/>");
    expect([sent.NoCollection, sent.NoEdition]).toEqual([[], []]);
    const both = await detail(
      "<Collection><CollectionType>10</CollectionType></Collection><EditionNumber>2</EditionNumber>",
    );
    expect(both).not.toHaveProperty("NoCollection");
    expect(both).not.toHaveProperty("NoEdition");
  });

  test("a flag that denies what is there goes, with a remark", async () => {
    const xml = "<NoEdition/><EditionNumber>2</EditionNumber>";
    expect(await detail(xml)).not.toHaveProperty("NoEdition");
    expect(await remarks({ detail: xml })).toEqual([
      "contradiction: NoEdition stands beside what it denies.",
    ]);
  });

  test("MainSubject is on every subject", async () => {
    const { Subject } = await detail(
      "<Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier></Subject><Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier></Subject>",
    );
    expect(Subject).toEqual([
      { MainSubject: ["true"], SubjectSchemeIdentifier: "93" },
      { MainSubject: [], SubjectSchemeIdentifier: "20" },
    ]);
  });

  test("attributes of a subject come before it", async () => {
    const { Subject } = await detail(
      '<Subject sourcename="x"><MainSubject/></Subject><Subject sourcename="y"/>',
    );
    expect(JSON.stringify(Subject)).toBe(
      '[{"@sourcename":"x","MainSubject":["true"]},{"@sourcename":"y","MainSubject":[]}]',
    );
  });

  test("other flags are [] where present", async () => {
    expect((await detail("<NoContributor/>")).NoContributor).toEqual([]);
    expect(await detail("")).not.toHaveProperty("NoContributor");
  });
});

describe("texts", () => {
  async function text(xml: string): Promise<Fields> {
    const { CollateralDetail } = await record({ text: xml });
    return ((CollateralDetail as Fields).TextContent as Fields[])[0]!;
  }

  test("are strings", async () => {
    expect(await text("<Text>Plain</Text>")).toEqual({
      TextType: "03",
      ContentAudience: "00",
      Text: "Plain",
    });
  });

  test("XHTML becomes a string of markup", async () => {
    const { Text } = await text(
      '<Text textformat="05"><p class="a&quot;b">One &amp; <em>two</em><br/></p></Text>',
    );
    expect(Text).toBe('<p class="a&quot;b">One &amp; <em>two</em><br/></p>');
  });

  test("only what HTML knows as empty is one tag: another would stay open in a page", async () => {
    const { Text } = await text(
      '<Text textformat="05"><p/><em id="x"></em><br></br><BR/><hr id="y"/></Text>',
    );
    expect(Text).toBe('<p></p><em id="x"></em><br/><BR/><hr id="y"/>');
  });

  test("escaped and CDATA markup is unescaped once", async () => {
    expect((await text("<Text>&lt;p&gt;a &amp;amp; b&lt;/p&gt;</Text>")).Text).toBe("<p>a &amp; b</p>");
    expect((await text("<Text><![CDATA[<p>a &amp; b</p>]]></Text>")).Text).toBe("<p>a &amp; b</p>");
  });

  test("keep line feeds, lose blanks at both ends, and no other white space", async () => {
    expect((await text("<Text> \n One\n  two\u00A0\n </Text>")).Text).toBe("One\n  two\u00A0");
  });

  test("have their attributes beside them, in their shape", async () => {
    expect(await text('<Text language="eng">One</Text>')).toMatchObject({
      Text: "One",
      "Text@language": "eng",
    });
    expect(await text('<Text>Uno</Text><Text language="eng">One</Text>')).toMatchObject({
      Text: ["Uno", "One"],
      "Text@language": [null, "eng"],
    });
  });

  test("an attribute of a composite is inside it", async () => {
    const { Extent } = await detail('<Extent sourcename="x"><ExtentType>00</ExtentType></Extent>');
    expect(Extent).toEqual({ "@sourcename": "x", ExtentType: "00" });
  });
});

describe("what the table does not know is kept as it came, and reported", () => {
  test("an element", async () => {
    const xml = '<Extra a="1"><Part>x</Part></Extra><__proto__>y</__proto__>';
    const fields = await detail(xml);
    expect(fields.Extra).toEqual([{ "@a": "1", Part: ["x"] }]);
    expect(Object.entries(fields).find(([name]) => name === "__proto__")).toEqual(["__proto__", ["y"]]);
    expect((await remarks({ detail: xml }))[0]).toBe("unknown-element: Extra is no element of ONIX 3.");
  });

  test("an element of the product itself, whatever its name", async () => {
    const body = JSON.stringify(await record({ blocks: "<__proto__>y</__proto__><Extra>x</Extra>" }));
    expect(body).toEndWith(',"__proto__":["y"],"Extra":["x"]}');
  });

  test("an element out of its place", async () => {
    expect((await detail("<PublisherName>x</PublisherName>")).PublisherName).toEqual(["x"]);
    expect(await remarks({ detail: "<PublisherName>x</PublisherName>" })).toEqual([
      "misplaced-element: PublisherName has no place in DescriptiveDetail.",
    ]);
  });

  test("a code", async () => {
    const xml = "<ProductPackaging>ZZ9</ProductPackaging>";
    expect((await detail(xml)).ProductPackaging).toBe("ZZ9");
    expect(await remarks({ detail: xml })).toEqual([
      'unknown-code: ProductPackaging has the code "ZZ9", which is not in list 80.',
    ]);
  });

  test("text between elements", async () => {
    expect((await detail("loose"))["#text"]).toBe("loose");
    expect(await remarks({ detail: "loose" })).toEqual([
      "stray-text: There is text between the elements of DescriptiveDetail.",
    ]);
  });
});
