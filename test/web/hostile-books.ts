/** Books whose texts are markup, scripts, or written from right to left. */
import { numberedIsbn } from "../during-tests.ts";

export interface TestBook {
  readonly isbn: string;
  readonly title: string;
  readonly author: string;
  readonly imprint: string;
  readonly language: string;
  readonly cover?: string;
}

const MARKUP = `"><img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>`;

export const MARKUP_BOOK: TestBook = {
  isbn: numberedIsbn(9_000_001),
  title: `Hostile ${MARKUP}`,
  author: `Mallory ${MARKUP}`,
  imprint: `Hostile press ${MARKUP}`,
  language: "eng",
  cover: "https://covers.test/hostile.jpg?onerror=alert(1)",
};

export const ARABIC_BOOK: TestBook = {
  isbn: numberedIsbn(9_000_002),
  title: "ألف ليلة وليلة",
  author: "مجهول",
  imprint: "Hostile press",
  language: "ara",
};

export const CHINESE_BOOK: TestBook = {
  isbn: numberedIsbn(9_000_003),
  title: "紅樓夢",
  author: "曹雪芹",
  imprint: "Hostile press",
  language: "chi",
};

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Returns an ONIX message with the books, published on `day` (YYYYMMDD). */
export function feedOf(books: readonly TestBook[], day: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">
<Header><Sender><SenderName>Test</SenderName></Sender><SentDateTime>20260101</SentDateTime></Header>
${books.map((book) => productOf(book, day)).join("\n")}
</ONIXMessage>`;
}

function productOf({ isbn, title, author, imprint, language, cover }: TestBook, day: string): string {
  const resource =
    cover === undefined
      ? ""
      : `<CollateralDetail><SupportingResource><ResourceContentType>01</ResourceContentType><ContentAudience>00</ContentAudience><ResourceMode>03</ResourceMode><ResourceVersion><ResourceForm>02</ResourceForm><ResourceLink>${escapeXml(cover)}</ResourceLink></ResourceVersion></SupportingResource></CollateralDetail>`;
  return `<Product><RecordReference>test-${isbn}</RecordReference><NotificationType>03</NotificationType>
<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbn}</IDValue></ProductIdentifier>
<DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm>
<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>${escapeXml(title)}</TitleText></TitleElement></TitleDetail>
<Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>${escapeXml(author)}</PersonName></Contributor>
<Language><LanguageRole>01</LanguageRole><LanguageCode>${language}</LanguageCode></Language></DescriptiveDetail>
${resource}<PublishingDetail><Imprint><ImprintName>${escapeXml(imprint)}</ImprintName></Imprint>
<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date dateformat="00">${day}</Date></PublishingDate></PublishingDetail></Product>`;
}
