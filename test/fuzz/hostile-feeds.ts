/** Feeds that are made to cost much: each kind repeats what could take more than linear time, or more memory than its size. */
import { randomBelow } from "../../src/lib/testing/random.ts";
import { identifier, message, product } from "../../src/onix/testing/message.ts";
import { numberedIsbn } from "../during-tests.ts";

/** Returns the XML of a product of about so many bytes. */
type HostileProduct = (number: number, bytes: number) => string;

/** The size of products whose parts are repeated. A text may have 4 MB, and a product 16 MB and 200,000 elements. */
const LONG = 1 << 20;

const random = randomBelow(31);

/** Repeats a part until it has so many bytes. */
function filled(bytes: number, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let index = 0, length = 0; length < bytes; index++) {
    const next = part(index);
    parts.push(next);
    length += Buffer.byteLength(next);
  }
  return parts.join("");
}

/** A product whose description is filled with a part. */
const text =
  (part: (index: number) => string, attributes = ""): HostileProduct =>
  (number, bytes) =>
    product({ isbn: numberedIsbn(number), text: `<Text${attributes}>${filled(bytes, part)}</Text>` });

/** A product with further elements in its description. */
const detail =
  (part: (index: number) => string): HostileProduct =>
  (number, bytes) =>
    product({ isbn: numberedIsbn(number), detail: filled(bytes, part) });

const title =
  (part: (index: number) => string, maxBytes: number): HostileProduct =>
  (number, bytes) =>
    product({
      isbn: numberedIsbn(number),
      title: filled(Math.min(bytes, maxBytes), part),
      imprint: filled(Math.min(bytes, maxBytes), part) + number,
    });

const price = (index: number) =>
  `<Price><PriceType>02</PriceType><PriceAmount>${index}.00</PriceAmount><CurrencyCode>EUR</CurrencyCode><Territory><CountriesIncluded>ES FR DE IT PT GB US MX AR CL</CountriesIncluded></Territory></Price>`;

const supply = (content: string) =>
  `<ProductSupply><SupplyDetail><Supplier><SupplierRole>01</SupplierRole><SupplierName>S</SupplierName></Supplier><ProductAvailability>20</ProductAvailability>${content}</SupplyDetail></ProductSupply>`;

const element = (name: string, attributes = "") => `<${name}${attributes}>a</${name}>`;

const PREFIXED_ATTRIBUTES = ` xmlns:n="urn:n"${filled(1000, (index) => ` n:attribute${index}=""`)}`;

const MARKS = ["\u0301", "\u0345", "\u0327", "\u0302"];

/** Their sizes are those of one product; 0 for the smallest one. */
export const HOSTILE_PRODUCTS: Readonly<Record<string, readonly [HostileProduct, bytes: number]>> = {
  "texts of combining marks": [text((index) => MARKS[index % 4]!), LONG],
  "words with a hundred marks": [text((index) => ` a${MARKS[index % 4]!.repeat(100)}`), LONG],
  "titles and imprints of marks": [title((index) => MARKS[index % 4]!, LONG), LONG],
  "one endless word": [text(() => "abcdefghij"), LONG],
  "one endless title": [title(() => "abcdefghij", LONG), LONG],
  "a title of distinct words": [title((index) => ` w${index}x${random(1e6)}`, LONG), LONG],
  "texts of distinct words": [text(() => ` ${random(1e9).toString(36)}`), LONG],
  "texts of one letter": [text((index) => ` ${String.fromCharCode(97 + (index % 26))}`), LONG],
  "texts of ideographs": [text(() => String.fromCharCode(0x4e00 + random(20_000))), LONG],
  "distinct unknown elements": [detail((index) => element(`X${index}y${random(1e9)}`)), 4000],
  "unknown elements of one product": [detail((index) => element(`X${index}`)), LONG],
  "unknown attributes": [
    detail((index) => element("EditionNumber", ` a${index}="" b${random(1e9)}=""`)),
    LONG,
  ],
  "attributes of repeated elements": [
    detail((index) => element("EditionNumber", ` a${index % 300}=""`)),
    LONG,
  ],
  "attributes of many products": [
    detail((index) => element("EditionNumber", ` a${index}="" b${random(1e9)}=""`)),
    4000,
  ],
  "a hundred attributes of a namespace": [detail(() => element("Foo", PREFIXED_ATTRIBUTES)), LONG],
  "unknown codes": [detail((index) => `<ProductFormDetail>Z${index}</ProductFormDetail>`), LONG],
  "deep nesting": [detail(() => "<Foo>".repeat(90) + "</Foo>".repeat(90)), LONG],
  "markup of XHTML that is nested": [
    text(() => `${"<div>".repeat(80)}a${"</div>".repeat(80)}`, ' textformat="05"'),
    LONG,
  ],
  references: [text(() => "&#xE1;&amp;&#225;&nbsp;&eacute;"), LONG],
  "escaped tags that are not closed": [text(() => "&lt;b&gt;&lt;i a='&gt;&lt;p&gt;x &lt;"), LONG],
  "CDATA of opening brackets": [text(() => "<![CDATA[<a <b << <!-- ]]>"), LONG],
  "tag soup in XHTML": [text(() => "<b><i><p>a</p></i></b>", ' textformat="05"'), LONG],
  "comments and instructions": [text(() => "<!-- a --><?b c?>"), LONG],
  whitespace: [text((index) => (index % 2 === 0 ? " \n\t" : "\u00a0")), LONG],
  "subjects of one product": [
    detail(
      (index) =>
        `<Subject><SubjectSchemeIdentifier>10</SubjectSchemeIdentifier><SubjectCode>A${index}</SubjectCode><SubjectHeadingText>b ${index}</SubjectHeadingText></Subject>`,
    ),
    LONG,
  ],
  "contributors of one product": [
    detail(
      (index) =>
        `<Contributor><SequenceNumber>${index}</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>Name ${index}</PersonName></Contributor>`,
    ),
    LONG,
  ],
  "prices of one product": [
    (number, bytes) => product({ isbn: numberedIsbn(number), blocks: supply(filled(bytes, price)) }),
    LONG,
  ],
  "identifiers of one product": [
    (number, bytes) =>
      product({
        identifiers:
          identifier("15", numberedIsbn(number)) + filled(bytes, (index) => identifier("01", `x${index}`)),
      }),
    LONG,
  ],
  "products without an ISBN": [() => "<Product><RecordReference>a</RecordReference></Product>", 0],
  "empty products": [() => "<Product/>", 0],
  "deletions of unknown books": [
    (number) => product({ isbn: numberedIsbn(number), notification: "05", blocks: "" }),
    0,
  ],
  "small books": [(number) => product({ isbn: numberedIsbn(number), blocks: "" }), 0],
  "one book again and again": [() => product({ blocks: "" }), 0],
};

/** Returns a feed of about so many bytes. */
export function hostileFeed(kind: string, bytes: number): string {
  const [make, productBytes] = HOSTILE_PRODUCTS[kind]!;
  return message(filled(bytes, (number) => make(number, productBytes)));
}
