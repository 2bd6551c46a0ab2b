/** Products with everything that is hard to read, each with what the reader says about it. */
import type { ComplaintKind } from "../complaint.ts";
import type { ProductAction } from "../scanned-product.ts";
import { identifier, type ProductOptions } from "./message.ts";

/** The kinds of the complaints on a record, or the action of a product that does not become one. */
type Expectation = readonly ComplaintKind[] | Exclude<ProductAction, "record" | "test">;

const dates = (xml: string) =>
  `<PublishingDetail><PublishingDate><PublishingDateRole>01</PublishingDateRole>${xml}</PublishingDate></PublishingDetail>`;

export const PRODUCT_CASES: readonly (readonly [name: string, ProductOptions, Expectation])[] = [
  ["a plain product", {}, []],
  [
    "all identifiers",
    {
      identifiers:
        identifier("01", "x") +
        identifier("15", "9788437604947") +
        identifier("03", "9788437604947") +
        identifier("02", "843760494X"),
    },
    [],
  ],
  ["a publisher and no imprint", { imprint: "", publisher: "P & Q".replace("&", "&amp;") }, []],
  ["neither an imprint nor a publisher", { imprint: "" }, []],
  ["entities", { title: "A &amp; B &lt; &gt; &quot; &apos; &eacute; &#233; &#x1F600; &nbsp;x" }, []],
  ["quotes, backslashes, line feeds and tabs", { title: 'a "b" \\ c\n\td' }, []],
  ["characters of all lengths", { title: "aé中😀\uFFFD\uFF21" }, []],
  ["CDATA", { title: '  <![CDATA[ <b>x</b> & "y" ]]> z <![CDATA[]]> ' }, []],
  [
    "comments",
    { detail: "<!-- one --><Extent><!-- two --><ExtentType>00</ExtentType></Extent>", title: "a<!-- x -->b" },
    [],
  ],
  [
    "XHTML",
    {
      text: '<Text textformat="05"><p class="x">a &amp; b &gt; <br/><em></em><i> </i>"q"</p>\n <ul><li>z</li></ul> </Text>',
    },
    [],
  ],
  ["XHTML without textformat", { text: "<Text><p>a</p></Text><Text><b>c</b></Text>" }, []],
  ["escaped markup", { text: '<Text textformat="02">&lt;p&gt;a&lt;/p&gt;</Text>' }, []],
  [
    "escaped markup with the textformat of XHTML, and text without tags",
    {
      text:
        '<Text textformat="05">&lt;p&gt;a&lt;/p&gt;</Text><Text textformat="05"><![CDATA[ <b>x</b>]]></Text>' +
        '<Text textformat="05">a &lt; b &lt;</Text><Text textformat="05"><p>c</p></Text>',
    },
    [],
  ],
  [
    "XHTML that declares its namespace",
    { text: '<Text textformat="05"><p xmlns="http://www.w3.org/1999/xhtml" class=\'x\'>a</p></Text>' },
    [],
  ],
  [
    "XHTML that declares a foreign namespace",
    { text: '<Text textformat="05"><p xmlns="urn:x">a</p></Text>' },
    [],
  ],
  ["brackets", { title: "a ] b ]] c <![CDATA[d ]] ]]]> <![CDATA[]]]]> e" }, []],
  [
    "attributes",
    { text: '<Text language="eng">a</Text><Text>b</Text><Text textformat="06" language="fre">c</Text>' },
    [],
  ],
  [
    "several contributors, with several roles",
    {
      detail:
        "<Contributor><ContributorRole>A01</ContributorRole><ContributorRole>B01</ContributorRole></Contributor>" +
        "<Contributor><ContributorRole>A12</ContributorRole></Contributor>",
    },
    [],
  ],
  [
    "attributes of composites, and empty ones",
    {
      detail:
        '<Contributor sourcename="x"\n datestamp=\'20240101\'><PersonName language="eng">P</PersonName></Contributor><Extent a="b"></Extent><Extent/><Subject/><AudienceRange a="c"/>',
    },
    [],
  ],
  [
    "attributes of a subject",
    { detail: '<Subject sourcename="x"><MainSubject/></Subject><Subject sourcename="y"/>' },
    [],
  ],
  [
    "empty elements of XHTML",
    {
      text: '<Text textformat="05"><p/><p id="x"></p><em/>a<br/><br></br><BR/><Hr id="x" /><b><i/></b></Text>',
    },
    [],
  ],
  [
    "date formats that the text shows",
    { blocks: dates('<DateFormat>01</DateFormat><Date dateformat="00">202401</Date>') },
    [],
  ],
  ["the date format of weeks", { blocks: dates("<DateFormat>02</DateFormat><Date>202410</Date>") }, []],
  ["the date format of quarters", { blocks: dates('<Date dateformat="03">20242</Date>') }, []],
  [
    "the date format of another calendar",
    { blocks: dates('<Date dateformat="20">14450101</Date>') },
    ["bad-date"],
  ],
  [
    "an element that is a single value in one composite and an array in another",
    {
      detail:
        "<Contributor><ContributorRole>A01</ContributorRole><CorporateName>C</CorporateName><AlternativeName>" +
        "<NameType>01</NameType><CorporateName>D</CorporateName></AlternativeName></Contributor>",
    },
    [],
  ],
  [
    "an ISBN-10 as GTIN-13 beside the ISBN-13",
    { identifiers: identifier("15", "9780199632091") + identifier("03", "0306406152") },
    ["bad-isbn", "contradicting-identifiers"],
  ],
  ["an ISBN-10 with a lower-case x", { identifiers: identifier("02", "843760494x") }, []],
  [
    "two elements where one is allowed",
    { detail: "<EditionNumber>1</EditionNumber><EditionNumber>2</EditionNumber>" },
    ["repeated-element"],
  ],
  ["a GTIN-13 alone", { identifiers: identifier("03", "9788437604947") }, []],
  ["a GTIN-13 alone that is not a book", { identifiers: identifier("03", "4006381333931") }, "rejection"],
  [
    "a GTIN-13 alone with a wrong check digit",
    { identifiers: identifier("03", "9788437604940") },
    ["wrong-check-digit"],
  ],
  ["an ISBN-10 as GTIN-13", { identifiers: identifier("03", "8437604945") }, "rejection"],
  [
    "an ISBN-10 beside a GTIN-13 that is not a book",
    { identifiers: identifier("03", "4006381333931") + identifier("02", "843760494X") },
    [],
  ],
  ["an ISBN-10 alone", { identifiers: identifier("02", "843760494X") }, []],
  ["an ISBN-10 alone with a wrong check digit", { identifiers: identifier("02", "8437604941") }, "rejection"],
  [
    "an ISBN-13 and another without a value",
    {
      identifiers: `${identifier("15", "9788437604947")}<ProductIdentifier><ProductIDType>15</ProductIDType></ProductIdentifier>`,
    },
    ["bad-isbn"],
  ],
  [
    "an age range",
    {
      detail:
        "<AudienceRange><AudienceRangeQualifier>17</AudienceRangeQualifier><AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangeValue>6</AudienceRangeValue><AudienceRangePrecision>04</AudienceRangePrecision><AudienceRangeValue>9</AudienceRangeValue></AudienceRange>",
    },
    [],
  ],
  [
    "subjects",
    {
      detail:
        "<Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier></Subject><Subject></Subject><Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier></Subject>",
    },
    [],
  ],
  ["two languages", { languages: ["spa", "cat", "spa"] }, []],
  ["a date of a month", { date: "202401" }, []],
  ["no date", { date: "" }, []],
  ["an unreadable date", { date: "soon" }, ["bad-date"]],
  [
    "elements out of order",
    {
      detail:
        "<Measure><Measurement>1</Measurement>\n<MeasureType>01</MeasureType></Measure>\n<Collection\n/>" +
        "<Extent><ExtentType>00</ExtentType></Extent><!-- > --><EditionNumber a='/'>2</EditionNumber>",
      identifiers: `<ProductIdentifier><IDValue>9788437604947</IDValue>\n<ProductIDType>15</ProductIDType></ProductIdentifier>`,
      text: "<Text><![CDATA[</Text>\n]]></Text>",
    },
    [],
  ],
  [
    "elements of the same name that are not adjacent",
    {
      detail:
        '<Contributor><PersonName language="eng">A</PersonName></Contributor><Audience><AudienceCodeType>01</AudienceCodeType></Audience>' +
        "<Contributor><PersonName>B</PersonName></Contributor><Subject></Subject><Contributor><BiographicalNote><p>C</p></BiographicalNote></Contributor>",
      text: "<Text>a</Text><SourceTitle>b</SourceTitle><Text language='spa'>c</Text>",
    },
    [],
  ],
  [
    "elements out of order, one of them twice",
    { detail: "<ProductForm>BC</ProductForm>" },
    ["repeated-element"],
  ],
  ["a comment with a CR without LF", { detail: "<!-- a\rb -->" }, []],
  ["a reference to a C1 control", { title: "it&#146;s" }, []],
  ["an unknown element", { detail: "<Foo/>" }, ["unknown-element"]],
  ["an unknown code", { detail: "<Extent><ExtentType>zz</ExtentType></Extent>" }, ["unknown-code"]],
  [
    "a code that is longer than any other",
    { detail: "<Extent><ExtentType>00000000</ExtentType></Extent>" },
    ["unknown-code"],
  ],
  [
    "a repeated element",
    { detail: "<Extent><ExtentType>00</ExtentType><ExtentType>00</ExtentType></Extent>" },
    ["repeated-element"],
  ],
  ["text between elements", { detail: "stray" }, ["stray-text"]],
  ["a wrong check digit", { isbn: "9788437604940" }, ["wrong-check-digit"]],
  ["a deletion", { notification: "05", blocks: "" }, "deletion"],
  ["an update", { notification: "04" }, "update"],
  ["a CR without LF", { title: "a\rb" }, []],
  ["an empty flag with a space", { detail: "<NoContributor />" }, []],
];
