/** DescriptiveDetail: titles, contributors, languages, subjects and audiences. */

import { BIOGRAPHIES } from "./biographies.ts";
import { extentsOf, formOf } from "./product-form.ts";
import { fullTitle, plainName } from "./products.ts";
import { AGES, CENTURIES, headingOf, isForChildren, PLACES } from "./subjects.ts";
import { xhtmlInline } from "./text.ts";
import type { Book, Product } from "./types.ts";
import { type Element, flag, group, leaf, raw } from "./xml.ts";

/** Collections whose name is part of the title of each volume. */
const COLLECTIONS_IN_TITLE = ["The Semicolon Shakespeare"];

function titleText(book: Book, product: Product): Element[] {
  const [prefix, rest] = book.title.split("|");
  const selection = product.chance("prefix");
  if (rest !== undefined && selection < 0.4) {
    return [leaf("TitlePrefix", prefix!.trim()), leaf("TitleWithoutPrefix", rest)];
  }
  if (rest === undefined && selection < 0.04)
    return [flag("NoPrefix"), leaf("TitleWithoutPrefix", book.title)];
  const textcase: Record<string, string> =
    product.imprint.descriptionLanguage === "eng" && selection > 0.7 ? { textcase: "02" } : {};
  return [leaf("TitleText", fullTitle(book), textcase)];
}

function titles(product: Product): Element[] {
  const { book } = product;
  const [series, number] = book.collection ?? [];
  const hasCollectionTitle = series !== undefined && COLLECTIONS_IN_TITLE.includes(series);
  const ownTitle = group(
    "TitleElement",
    hasCollectionTitle && leaf("SequenceNumber", 2),
    leaf("TitleElementLevel", "01"),
    book.yearOfAnnual !== undefined && leaf("YearOfAnnual", book.yearOfAnnual),
    titleText(book, product),
    book.subtitle !== undefined && leaf("Subtitle", book.subtitle),
  );
  const collectionTitle = hasCollectionTitle
    ? group(
        "TitleElement",
        leaf("SequenceNumber", 1),
        leaf("TitleElementLevel", "02"),
        leaf("PartNumber", number!),
        leaf("TitleText", series),
      )
    : undefined;
  const original = book.original;
  return [
    group("TitleDetail", leaf("TitleType", "01"), collectionTitle, ownTitle),
    ...(original
      ? [
          group(
            "TitleDetail",
            leaf("TitleType", "03"),
            group(
              "TitleElement",
              leaf("TitleElementLevel", "01"),
              leaf("TitleText", original[1], { language: original[0] }),
            ),
          ),
        ]
      : []),
  ];
}

function collection({ book, stage, chance }: Product): Element {
  if (!book.collection) return flag("NoCollection");
  const [name, number] = book.collection;
  return group(
    "Collection",
    leaf("CollectionType", "10"),
    number !== undefined &&
      group(
        "CollectionSequence",
        leaf("CollectionSequenceType", chance("sequence") < 0.5 ? "02" : "03"),
        leaf("CollectionSequenceNumber", number),
      ),
    group(
      "TitleDetail",
      leaf("TitleType", "01"),
      group(
        "TitleElement",
        leaf("TitleElementLevel", "02"),
        number !== undefined && stage === "far" && leaf("PartNumber", number),
        leaf("TitleText", name),
      ),
    ),
  );
}

/** Returns the name as a whole and in parts. With `wholeOnly`, the parts are left out. */
function names(name: string, wholeOnly: boolean): Element[] {
  if (name.startsWith("=")) return [leaf("CorporateName", name.slice(1))];
  const [before, key] = name.split("|") as [string, string];
  if (wholeOnly) return [leaf("PersonName", plainName(name))];
  return [
    leaf("PersonName", plainName(name)),
    leaf("PersonNameInverted", before ? `${key}, ${before}` : key),
    ...(before ? [leaf("NamesBeforeKey", before)] : []),
    leaf("KeyNames", key),
  ];
}

/** Returns one composite for each name, with all roles of that name. */
function contributors(product: Product): Element[] {
  const { imprint, book, chance } = product;
  const rolesByName = new Map<string, string[]>();
  for (const { role, name } of product.contributors)
    rolesByName.set(name, [...(rolesByName.get(name) ?? []), role]);
  if (rolesByName.size === 0) return [flag("NoContributor")];
  return [...rolesByName].map(([name, roles], index) => {
    const note = chance("note") < 0.22 ? BIOGRAPHIES[name]?.[imprint.descriptionLanguage] : undefined;
    return group(
      "Contributor",
      leaf("SequenceNumber", index + 1),
      roles.map((role) => leaf("ContributorRole", role)),
      roles.includes("B06") && book.original !== undefined && leaf("FromLanguage", book.original[0]),
      names(name, index > 0 && chance(name) < 0.7),
      note !== undefined && raw("BiographicalNote", `<p>${xhtmlInline(note)}</p>`, { textformat: "05" }),
    );
  });
}

function edition({ book, imprint }: Product): Element[] {
  const { type, number, statement } = book.edition ?? {};
  if (!book.edition) return [flag("NoEdition")];
  return [
    ...(type ? [leaf("EditionType", type)] : []),
    ...(number ? [leaf("EditionNumber", number)] : []),
    ...(statement ? [leaf("EditionStatement", statement, { language: imprint.descriptionLanguage })] : []),
  ];
}

function languages({ book, imprint }: Product): Element[] {
  const language = (role: string, code: string) =>
    group("Language", leaf("LanguageRole", role), leaf("LanguageCode", code));
  return [
    ...(book.languages ?? [imprint.language]).map((code) => language("01", code)),
    ...(book.original ? [language("02", book.original[0])] : []),
  ];
}

function illustrations({ book, form, imprint, chance }: Product): Element[] {
  const { illustrations: pictures } = book;
  if (form === "AJ") return [];
  if (!pictures) {
    const hasIndex = (book.kind === "essay" || book.kind === "travel") && chance("index") < 0.7;
    return [
      ...(chance("illustrated") < 0.1 ? [leaf("Illustrated", "01")] : []),
      ...(hasIndex ? [group("AncillaryContent", leaf("AncillaryContentType", "25"))] : []),
    ];
  }
  return [
    leaf("Illustrated", "02"),
    leaf("NumberOfIllustrations", pictures.count),
    ...(pictures.note
      ? [leaf("IllustrationsNote", pictures.note, { language: imprint.descriptionLanguage })]
      : []),
    group("AncillaryContent", leaf("AncillaryContentType", pictures.type), leaf("Number", pictures.count)),
  ];
}

function subjects({ book, imprint, chance }: Product): Element[] {
  const isEnglish =
    imprint.descriptionLanguage === "eng" ||
    imprint.descriptionLanguage === "ger" ||
    imprint.descriptionLanguage === "fre";
  const heading = headingOf(book.kind);
  const subject = (scheme: string, code: string | undefined, text: string, main = false) =>
    group(
      "Subject",
      main && flag("MainSubject"),
      leaf("SubjectSchemeIdentifier", scheme),
      code !== undefined && leaf("SubjectCode", code),
      leaf("SubjectHeadingText", text),
    );
  const thema = ([code, inEnglish, inSpanish]: [string, string, string], main: boolean) =>
    subject("93", code, isEnglish ? inEnglish : inSpanish, main);
  const bisac = heading.bisac;
  const century = CENTURIES[String(book.year ?? 0).slice(0, 2)];
  const age = book.ages && AGES[book.ages[0]];
  const place = book.themaPlace !== undefined ? PLACES[book.themaPlace] : undefined;
  const subjectElements = [thema(heading.thema, true)];
  if (heading.also && chance("also") < 0.2) subjectElements.push(thema(heading.also, false));
  if (chance("bisac") < 0.8) subjectElements.push(subject("10", bisac[0], bisac[1]));
  if (place && chance("place") < 0.2)
    subjectElements.push(subject("94", book.themaPlace, place[isEnglish ? 0 : 1]));
  if (century && chance("century") < 0.12)
    subjectElements.push(subject("96", century[0], century[isEnglish ? 1 : 2]));
  if (age && isForChildren(book.kind)) {
    const from = book.ages![0];
    const text = isEnglish
      ? `Interest age: from c ${from} years`
      : `Edad de interés: a partir de ${from} años`;
    subjectElements.push(subject("98", age, text));
  }
  if (chance("keywords") < 0.4 || subjectElements.length < 2)
    subjectElements.push(subject("20", undefined, book.keywords));
  return chance("subject order") < 0.12
    ? [...subjectElements.slice(1), subjectElements[0]!]
    : subjectElements;
}

function audiences({ book, chance }: Product): Element[] {
  const code = isForChildren(book.kind) ? "02" : book.kind === "yearbook" ? "06" : "01";
  const audience = (value: string) =>
    group("Audience", leaf("AudienceCodeType", "01"), leaf("AudienceCodeValue", value));
  const [from, to] = book.ages ?? (chance("range") < 0.14 ? [chance("age") < 0.5 ? 14 : 16] : []);
  return [
    audience(code),
    ...(book.edition?.type === "SCH" ? [audience("04")] : []),
    ...(from === undefined
      ? []
      : [
          group(
            "AudienceRange",
            leaf("AudienceRangeQualifier", "17"),
            leaf("AudienceRangePrecision", "03"),
            leaf("AudienceRangeValue", from),
            to !== undefined && [leaf("AudienceRangePrecision", "04"), leaf("AudienceRangeValue", to)],
          ),
        ]),
  ];
}

export function descriptiveDetail(product: Product, products: Product[]): Element {
  return group(
    "DescriptiveDetail",
    formOf(product, products),
    collection(product),
    titles(product),
    contributors(product),
    edition(product),
    languages(product),
    extentsOf(product),
    illustrations(product),
    subjects(product),
    audiences(product),
  );
}
