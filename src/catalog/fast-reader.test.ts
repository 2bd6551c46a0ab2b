import { describe, expect, test } from "bun:test";
import { encodeAs } from "../feed/testing/streams.ts";
import { identifier, message, product } from "../onix/testing/message.ts";
import { compareReaders, utf8 } from "./testing/compare-readers.ts";

const dates = (xml: string) =>
  `<PublishingDetail><PublishingDate><PublishingDateRole>01</PublishingDateRole>${xml}</PublishingDate></PublishingDetail>`;

describe("the fast reader agrees with the full reader on", () => {
  /** The number is 1 when the product is scanned, 0 when the full reader reads it, -3 when the feed is rejected. */
  const cases: [string, Parameters<typeof product>[0] | string, number][] = [
    ["a plain product", {}, 1],
    [
      "all identifiers",
      {
        identifiers:
          identifier("01", "x") +
          identifier("15", "9788437604947") +
          identifier("03", "9788437604947") +
          identifier("02", "843760494X"),
      },
      1,
    ],
    ["a publisher and no imprint", { imprint: "", publisher: "P & Q".replace("&", "&amp;") }, 1],
    ["neither an imprint nor a publisher", { imprint: "" }, 1],
    ["entities", { title: "A &amp; B &lt; &gt; &quot; &apos; &eacute; &#233; &#x1F600; &nbsp;x" }, 1],
    ["quotes, backslashes, line feeds and tabs", { title: 'a "b" \\ c\n\td' }, 1],
    ["characters of all lengths", { title: "aé中😀\uFFFD\uFF21" }, 1],
    ["CDATA", { title: '  <![CDATA[ <b>x</b> & "y" ]]> z <![CDATA[]]> ' }, 1],
    [
      "comments",
      {
        detail: "<!-- one --><Extent><!-- two --><ExtentType>00</ExtentType></Extent>",
        title: "a<!-- x -->b",
      },
      1,
    ],
    [
      "XHTML",
      {
        text: '<Text textformat="05"><p class="x">a &amp; b &gt; <br/><em></em><i> </i>"q"</p>\n <ul><li>z</li></ul> </Text>',
      },
      1,
    ],
    ["XHTML without textformat", { text: "<Text><p>a</p></Text><Text><b>c</b></Text>" }, 1],
    ["escaped markup", { text: '<Text textformat="02">&lt;p&gt;a&lt;/p&gt;</Text>' }, 1],
    [
      "escaped markup with the textformat of XHTML, and text without tags",
      {
        text:
          '<Text textformat="05">&lt;p&gt;a&lt;/p&gt;</Text><Text textformat="05"><![CDATA[ <b>x</b>]]></Text>' +
          '<Text textformat="05">a &lt; b &lt;</Text><Text textformat="05"><p>c</p></Text>',
      },
      1,
    ],
    [
      "XHTML that declares its namespace",
      { text: '<Text textformat="05"><p xmlns="http://www.w3.org/1999/xhtml" class=\'x\'>a</p></Text>' },
      1,
    ],
    [
      "XHTML that declares a foreign namespace",
      { text: '<Text textformat="05"><p xmlns="urn:x">a</p></Text>' },
      0,
    ],
    [
      "XHTML that declares its namespace twice",
      {
        text: '<Text textformat="05"><p xmlns="http://www.w3.org/1999/xhtml" xmlns="http://www.w3.org/1999/xhtml">a</p></Text>',
      },
      -3,
    ],
    ["brackets", { title: "a ] b ]] c <![CDATA[d ]] ]]]> <![CDATA[]]]]> e" }, 1],
    ["]]> outside of CDATA", { title: "a ]]> b" }, -3],
    [
      "attributes",
      { text: '<Text language="eng">a</Text><Text>b</Text><Text textformat="06" language="fre">c</Text>' },
      1,
    ],
    [
      "several contributors, with several roles",
      {
        detail:
          "<Contributor><ContributorRole>A01</ContributorRole><ContributorRole>B01</ContributorRole></Contributor>" +
          "<Contributor><ContributorRole>A12</ContributorRole></Contributor>",
      },
      1,
    ],
    [
      "attributes of composites, and empty ones",
      {
        detail:
          '<Contributor sourcename="x"\n datestamp=\'20240101\'><PersonName language="eng">P</PersonName></Contributor><Extent a="b"></Extent><Extent/><Subject/><AudienceRange a="c"/>',
      },
      1,
    ],
    [
      "attributes of a subject",
      { detail: '<Subject sourcename="x"><MainSubject/></Subject><Subject sourcename="y"/>' },
      1,
    ],
    [
      "empty elements of XHTML",
      {
        text: '<Text textformat="05"><p/><p id="x"></p><em/>a<br/><br></br><BR/><Hr id="x" /><b><i/></b></Text>',
      },
      1,
    ],
    [
      "date formats that the text shows",
      { blocks: dates('<DateFormat>01</DateFormat><Date dateformat="00">202401</Date>') },
      1,
    ],
    ["the date format of weeks", { blocks: dates("<DateFormat>02</DateFormat><Date>202410</Date>") }, 0],
    ["the date format of quarters", { blocks: dates('<Date dateformat="03">20242</Date>') }, 0],
    ["the date format of another calendar", { blocks: dates('<Date dateformat="20">14450101</Date>') }, 0],
    [
      "an element that is a single value in one composite and an array in another",
      {
        detail:
          "<Contributor><ContributorRole>A01</ContributorRole><CorporateName>C</CorporateName><AlternativeName>" +
          "<NameType>01</NameType><CorporateName>D</CorporateName></AlternativeName></Contributor>",
      },
      1,
    ],
    [
      "an ISBN-10 as GTIN-13 beside the ISBN-13",
      { identifiers: identifier("15", "9780199632091") + identifier("03", "0306406152") },
      0,
    ],
    ["an ISBN-10 with a lower-case x", { identifiers: identifier("02", "843760494x") }, 0],
    [
      "two elements where one is allowed",
      { detail: "<EditionNumber>1</EditionNumber><EditionNumber>2</EditionNumber>" },
      0,
    ],
    ["a GTIN-13 alone", { identifiers: identifier("03", "9788437604947") }, 1],
    ["a GTIN-13 alone that is not a book", { identifiers: identifier("03", "4006381333931") }, 0],
    ["a GTIN-13 alone with a wrong check digit", { identifiers: identifier("03", "9788437604940") }, 0],
    ["an ISBN-10 as GTIN-13", { identifiers: identifier("03", "8437604945") }, 0],
    [
      "an ISBN-10 beside a GTIN-13 that is not a book",
      { identifiers: identifier("03", "4006381333931") + identifier("02", "843760494X") },
      1,
    ],
    ["an ISBN-10 alone", { identifiers: identifier("02", "843760494X") }, 1],
    ["an ISBN-10 alone with a wrong check digit", { identifiers: identifier("02", "8437604941") }, 0],
    [
      "an ISBN-13 and another without a value",
      {
        identifiers: `${identifier("15", "9788437604947")}<ProductIdentifier><ProductIDType>15</ProductIDType></ProductIdentifier>`,
      },
      0,
    ],
    [
      "an age range",
      {
        detail:
          "<AudienceRange><AudienceRangeQualifier>17</AudienceRangeQualifier><AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangeValue>6</AudienceRangeValue><AudienceRangePrecision>04</AudienceRangePrecision><AudienceRangeValue>9</AudienceRangeValue></AudienceRange>",
      },
      1,
    ],
    [
      "subjects",
      {
        detail:
          "<Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier></Subject><Subject></Subject><Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier></Subject>",
      },
      1,
    ],
    ["two languages", { languages: ["spa", "cat", "spa"] }, 1],
    ["a date of a month", { date: "202401" }, 1],
    ["no date", { date: "" }, 1],
    ["an unreadable date", { date: "soon" }, 0],
    [
      "elements out of order",
      {
        detail:
          "<Measure><Measurement>1</Measurement>\n<MeasureType>01</MeasureType></Measure>\n<Collection\n/>" +
          "<Extent><ExtentType>00</ExtentType></Extent><!-- > --><EditionNumber a='/'>2</EditionNumber>",
        identifiers: `<ProductIdentifier><IDValue>9788437604947</IDValue>\n<ProductIDType>15</ProductIDType></ProductIdentifier>`,
        text: "<Text><![CDATA[</Text>\n]]></Text><TextType>02</TextType>".replace(
          "<TextType>02</TextType>",
          "",
        ),
      },
      1,
    ],
    [
      "elements of the same name that are not adjacent",
      {
        detail:
          '<Contributor><PersonName language="eng">A</PersonName></Contributor><Audience><AudienceCodeType>01</AudienceCodeType></Audience>' +
          "<Contributor><PersonName>B</PersonName></Contributor><Subject></Subject><Contributor><BiographicalNote><p>C</p></BiographicalNote></Contributor>",
        text: "<Text>a</Text><SourceTitle>b</SourceTitle><Text language='spa'>c</Text>",
      },
      1,
    ],
    ["elements out of order, one of them twice", { detail: "<ProductForm>BC</ProductForm>" }, 0],
    ["a comment with a CR without LF", { detail: "<!-- a\rb -->" }, 0],
    ["a reference to a C1 control", { title: "it&#146;s" }, 1],
    ["an unknown element", { detail: "<Foo/>" }, 0],
    ["an unknown code", { detail: "<Extent><ExtentType>zz</ExtentType></Extent>" }, 0],
    [
      "a code that is longer than any other",
      { detail: "<Extent><ExtentType>00000000</ExtentType></Extent>" },
      0,
    ],
    [
      "a repeated element",
      { detail: "<Extent><ExtentType>00</ExtentType><ExtentType>00</ExtentType></Extent>" },
      0,
    ],
    ["text between elements", { detail: "stray" }, 0],
    ["a wrong check digit", { isbn: "9788437604940" }, 0],
    ["a deletion", { notification: "05", blocks: "" }, 0],
    ["an update", { notification: "04" }, 0],
    ["a CR without LF", { title: "a\rb" }, 0],
    ["an empty flag with a space", { detail: "<NoContributor />" }, 1],
  ];
  for (const [name, options, scanned] of cases) {
    test(`${name} (${scanned > 0 ? "scanned" : scanned < 0 ? "rejected" : "not scanned"})`, async () => {
      const xml = message(
        product({ isbn: "9780199632091" }),
        typeof options === "string" ? options : product(options),
        product({ isbn: "9791034567898" }),
      );
      const others = 2;
      expect(await compareReaders(utf8(xml))).toBe(scanned + others);
      for (const other of [xml.replaceAll("\n", "\r\n"), xml.replace(/>\s+</g, "><"), `\uFEFF${xml}`]) {
        expect(Math.sign(await compareReaders(utf8(other)))).toBe(scanned < 0 ? -1 : 1);
      }
    });
  }

  test("namespaces, and scans products unless there is a prefix or a foreign namespace", async () => {
    const plain = message(product());
    const onix = "http://www.editeur.org/onix/3.0/reference";
    expect(await compareReaders(utf8(plain.replace("xmlns=", "xmlns:x=")))).toBe(1);
    expect(
      await compareReaders(utf8(plain.replaceAll(/<(\/?)([A-Z])/g, "<$1o:$2").replace("xmlns=", "xmlns:o="))),
    ).toBe(0);
    const on = (tag: string, attributes: string) => utf8(plain.replace(`<${tag}>`, `<${tag} ${attributes}>`));
    expect(await compareReaders(on("Product", `xmlns="${onix}" datestamp="20240101"`))).toBe(1);
    expect(await compareReaders(on("DescriptiveDetail", `sourcename="x" xmlns="${onix}"`))).toBe(1);
    expect(await compareReaders(on("TitleText", `xmlns="${onix}" language="spa"`))).toBe(1);
    expect(await compareReaders(on("Product", 'xmlns="http://example.org/"'))).toBe(0);
    expect(await compareReaders(on("TitleText", 'xmlns="http://www.w3.org/1999/xhtml"'))).toBe(0);
    expect(await compareReaders(utf8(plain.replace(/xmlns="[^"]*"/, 'xmlns="urn:ours"')))).toBe(1);
  });

  test("every encoding, by BOM and by declaration", async () => {
    const xml = (declared: string) =>
      message(product({ title: "Año «ñ»" }), product({ isbn: "9780199632091", title: "é\r\nà" })).replace(
        'encoding="UTF-8"',
        `encoding="${declared}"`,
      );
    expect(await compareReaders(utf8(`\uFEFF${xml("UTF-8")}`))).toBe(2);
    expect(await compareReaders(utf8(`\uFEFF${xml("utf8")}`))).toBe(2);
    expect(await compareReaders(utf8(`\uFEFF${xml("ISO-8859-1")}`))).toBe(2);
    expect(await compareReaders(utf8(xml("UTF-16")))).toBe(2);
    for (const [declared, encoding] of [
      ["ISO-8859-1", "windows-1252"],
      ["windows-1252", "windows-1252"],
      ["us-ascii", "windows-1252"],
      ["UTF-16", "utf-16le"],
      ["UTF-16", "utf-16be"],
      ["UTF-32", "utf-32le"],
    ] as const) {
      const bytes = encodeAs(xml(declared), encoding);
      expect(await compareReaders(bytes)).toBe(2);
      expect(await compareReaders(bytes, 7)).toBe(2);
    }
    expect(await compareReaders(encodeAs(`\uFEFF${xml("UTF-16")}`, "utf-16le"))).toBe(2);
    expect(await compareReaders(utf8(xml("no-such")))).toBe(-1);
    expect(await compareReaders(utf8(xml("\0UTF-8")))).toBe(-1);
    expect(await compareReaders(utf8(xml("UTF-8\0")))).toBe(-1);
    expect(await compareReaders(encodeAs(xml("UTF-16"), "utf-16le").slice(0, -1))).toBe(-1);
    expect(await compareReaders(utf8(xml("shift_jis")))).toBe(-1);
    expect(await compareReaders(utf8(xml("UTF-8").replace('version="1.0"', 'version="1.1"')))).toBe(0);
  });

  test("more elements than a product may have", async () => {
    const text = `<Text textformat="05">${"<b/>".repeat(210_000)}</Text>`;
    expect(await compareReaders(utf8(message(product({ text }))))).toBe(-1);
  });

  test("product tags inside CDATA and comments", async () => {
    const xml = message(
      product({ title: "<![CDATA[</Product><Product>]]>", detail: "<Foo><![CDATA[</Product>]]></Foo>" }),
      product({ isbn: "9780199632091" }),
    );
    expect(await compareReaders(utf8(xml))).toBe(1);
    expect(await compareReaders(utf8(xml.replace("<Header>", "<!-- <Product> --><Header>")))).toBe(1);
  });

  test("very many product tags inside CDATA and comments, in linear time", async () => {
    const many = "<Product></Product>".repeat(60_000);
    // Together larger than the window, so that products follow after its end.
    const rest = Array.from({ length: 20 }, () => product({ text: `<Text>${"x".repeat(50_000)}</Text>` }));
    for (const part of [`<!--${many}-->`, `<Foo><![CDATA[${many}]]></Foo>`]) {
      expect(await compareReaders(utf8(message(product(), part, ...rest)))).toBeGreaterThan(18);
    }
  });
});

test("the fast reader does not confuse names and codes with those of the previous product", async () => {
  const extent = "<Extent><ExtentType>00</ExtentType><ExtentValue>1</ExtentValue></Extent>";
  for (const [other, scanned] of [
    [extent, 2],
    [extent.replaceAll("00", "08"), 2],
    [extent.replaceAll("00", "zz"), 1],
    [extent.replaceAll("ExtentType", "ExtentTyp"), 1],
    [extent.replaceAll("ExtentType", "ExtentTypes"), 1],
    [extent.replaceAll("ExtentType", "Extent"), 1],
    [extent.replaceAll("ExtentType", "x"), 1],
    [extent.replaceAll("ExtentType", "b218"), 2],
  ] as const) {
    const xml = message(product({ detail: extent }), product({ isbn: "9780199632091", detail: other }));
    expect([other, await compareReaders(utf8(xml))]).toEqual([other, scanned]);
  }
});

test("both readers agree on an incomplete tag between products", async () => {
  const xml = message(product(), product({ isbn: "9780199632091" }));
  for (const piece of ["<", "</", "<!", "<!-", "<a ", "&", "&amp", "<![CDATA[", "x>", ">", "<a>"]) {
    for (const at of ["<Product>", "</ONIXMessage>"]) {
      await compareReaders(utf8(xml.replace(at, piece + at)));
      await compareReaders(utf8(xml.replace(/(<\/Product>\s*)(<Product>)/, `$1${piece}$2`)));
    }
  }
});

test("the fast reader does not depend on how the feed is split into chunks", async () => {
  const xml = utf8(
    message(
      product({ title: "é中😀 &amp; <![CDATA[x]]>" }),
      product({ isbn: "9780199632091", detail: "<Foo/>" }),
      product({ isbn: "9791034567898" }),
    ),
  );
  for (const chunkBytes of [1, 2, 3, 5, 7, 64, 1000]) expect(await compareReaders(xml, chunkBytes)).toBe(2);
});

test("the fast reader reads a character that is split at the end of the window", async () => {
  for (const pad of ["", " "]) {
    const detail = `<Foo>${pad}${"ñ".repeat(600_000)}${"x".repeat(1_000_000)}</Foo>`;
    expect(await compareReaders(utf8(message(product({ detail }))))).toBe(0);
  }
});
