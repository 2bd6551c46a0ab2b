/** Small documents with seeded mutations, of which most are not well-formed. */
import { type RandomBelow, randomBelow } from "../../lib/testing/random.ts";

const DECLARATION = '<?xml version="1.0" encoding="utf-8" standalone="no"?>';
const NAMESPACE = "http://ns.editeur.org/onix/3.0/reference";

/** Every construct of XML that feeds have, and some that they do not have. */
export const SMALL_DOCUMENTS: readonly string[] = [
  `${DECLARATION}
<ONIXMessage release="3.0" xmlns="${NAMESPACE}">
  <Header><SenderName>Molino &amp; Cía</SenderName></Header>
  <Product datestamp='20240228'>
    <RecordReference>a-1</RecordReference>
    <NoCollection/>
    <Text textformat="05"><p>El <b class="x y">niño</b> &#233;l,<br/>lives.</p></Text>
  </Product>
  <!-- a comment -->
  <Product><RecordReference>a-2</RecordReference></Product>
</ONIXMessage>
`,
  `<!DOCTYPE ONIXMessage SYSTEM "http://localhost:1/x.dtd" [<!ENTITY x "y"><!-- ' --><?p '?>]>
<o:ONIXMessage xmlns:o="${NAMESPACE}" release="3.1">\r
  <o:Product o:a="1" a="2"><o:Text xml:lang="fr">\tEl "ni\\ñ"o 😀</o:Text></o:Product>\r
  <o:Product xmlns:o="urn:x"><o:b xmlns="urn:y"><a/><o:a/></o:b></o:Product>\r
</o:ONIXMessage>\r
<!-- end -->`,
  "<doc><a>one<![CDATA[<b>]]]>two</a ><?pi data?><b\n\tx = '1'\n y=\"&lt;&#x41;\t\"/>\r<foo></foo>tail</doc>\n",
  "<a><b/><é ü='1'>中</é><doc:b xmlns:doc='urn:d' doc:x='' x=''/>&nbsp;]] ></a>",
];

/** Texts that are invalid in most places, or that readers often handle wrongly. */
const INSERTIONS: readonly string[] = [
  ..."<>&;\"'=/!?[]-:.1aé中😀 \r\n\t\0\x01\x7f\u0085\u2028\ufffe\uffff\ufeff",
  ...["]]>", "<!--", "-->", "--", "<![CDATA[", "<!D", "<!DOCTYPE a>", "<!ELEMENT a ANY>", "\r\n", "]]"],
  ...[
    "&#0;",
    "&#x;",
    "&#xD800;",
    "&#99999999999;",
    "&#X41;",
    "&foo;",
    "&amp",
    "&amp;",
    "&eacute;",
    "& ",
    "&#13;",
  ],
  ...["<?xml?>", '<?xml version="1.0"?>', "<?XML x?>", "<?a:b?>", "<?p?>", "<? p?>", "<?p", "?>"],
  ...[
    ' xmlns:x=""',
    ' xmlns=""',
    " xmlns:x='urn:x'",
    " xmlns='urn:z'",
    " xmlns:xml='urn:x'",
    " xmlns:xmlns='u'",
  ],
  ...[
    "x:",
    "o:",
    "xml:",
    "xmlns:",
    "a:b:",
    ":",
    " a='1'",
    ' b="&lt;"',
    " a = '1' ",
    " o:a='3'",
    " xml:lang='es'",
  ],
  ...["<a>", "</a>", "<b/>", "<o:a/>", "<x:a/>", "</", "</>", "< a>", "<a", "<a/", "<Product>", "</Product>"],
  ...[
    "<!DOCTYPE a [<!ENTITY e 'v'><!-- -- --> <?p?> ']'>",
    "<!DOCTYPE a [\n<!ATTLIST a b CDATA '>'>\n]>",
    "&e;",
  ],
  ...[' standalone="yes"', ' encoding="x y"', " version='1.1'", " version='2.0'"],
];

/** Generates documents without end. The same seed gives the same documents. */
export function* mutatedDocuments(seed: number): Generator<string, never> {
  const random = randomBelow(seed);
  for (;;) {
    let document = SMALL_DOCUMENTS[random(SMALL_DOCUMENTS.length)]!;
    // One mutation shows most; several together show what happens after an error that is none.
    const count = random(3) > 0 ? 1 : 1 + random(4);
    for (let index = 0; index < count; index++) document = mutate(document, random);
    yield document;
  }
}

function mutate(document: string, random: RandomBelow): string {
  // Whole characters are changed, so that the document remains valid UTF-8.
  const characters = Array.from(document);
  const at = random(characters.length + 1);
  const length = random(4) > 0 ? 1 : random(12);
  switch (random(8)) {
    case 0:
      characters.splice(at, length);
      break;
    case 1:
      characters.splice(at, 0, ...characters.slice(at, at + length));
      break;
    case 2: {
      const other = random(characters.length + 1);
      const [first, second] = [characters[at] ?? "", characters[other] ?? ""];
      characters[at] = second;
      characters[other] = first;
      break;
    }
    case 3:
      characters.length = at;
      break;
    default:
      characters.splice(at, 0, INSERTIONS[random(INSERTIONS.length)]!);
  }
  return characters.join("");
}
