/** DescriptiveDetail: titles, people, languages, subjects and readers. */

import { extentsOf, formOf } from "./product-form.ts";
import { NOTES } from "./biographies.ts";
import { fullTitle, plainName } from "./products.ts";
import { AGES, CENTURIES, headingOf, isForChildren, PLACES } from "./subjects.ts";
import { xhtmlInline } from "./text.ts";
import type { Book, Product } from "./types.ts";
import { type Element, flag, group, leaf, raw } from "./xml.ts";

/** Collections whose name is part of the title of each volume. */
const IN_TITLE = ["The Semicolon Shakespeare"];

function titleText(book: Book, product: Product): Element[] {
  const [prefix, rest] = book.title.split("|");
  const dice = product.chance("prefix");
  if (rest !== undefined && dice < 0.4) {
    return [leaf("TitlePrefix", prefix!.trim()), leaf("TitleWithoutPrefix", rest)];
  }
  if (rest === undefined && dice < 0.04) return [flag("NoPrefix"), leaf("TitleWithoutPrefix", book.title)];
  const textcase: Record<string, string> =
    product.imprint.prose === "eng" && dice > 0.7 ? { textcase: "02" } : {};
  return [leaf("TitleText", fullTitle(book), textcase)];
}

function titles(product: Product): Element[] {
  const { book } = product;
  const [series, number] = book.series ?? [];
  const twoLevels = series !== undefined && IN_TITLE.includes(series);
  const own = group(
    "TitleElement",
    twoLevels && leaf("SequenceNumber", 2),
    leaf("TitleElementLevel", "01"),
    book.yearOfAnnual !== undefined && leaf("YearOfAnnual", book.yearOfAnnual),
    titleText(book, product),
    book.subtitle !== undefined && leaf("Subtitle", book.subtitle),
  );
  const whole = twoLevels
    ? group(
        "TitleElement",
        leaf("SequenceNumber", 1),
        leaf("TitleElementLevel", "02"),
        leaf("PartNumber", number!),
        leaf("TitleText", series),
      )
    : undefined;
  const original = book.from;
  return [
    group("TitleDetail", leaf("TitleType", "01"), whole, own),
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
  if (!book.series) return flag("NoCollection");
  const [name, number] = book.series;
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

/** A name, in parts too; of translators and the like sometimes only whole. */
function names(name: string, whole: boolean): Element[] {
  if (name.startsWith("=")) return [leaf("CorporateName", name.slice(1))];
  const [before, key] = name.split("|") as [string, string];
  if (whole) return [leaf("PersonName", plainName(name))];
  return [
    leaf("PersonName", plainName(name)),
    leaf("PersonNameInverted", before ? `${key}, ${before}` : key),
    ...(before ? [leaf("NamesBeforeKey", before)] : []),
    leaf("KeyNames", key),
  ];
}

/** One composite for each name, with all of its roles. */
function contributors(product: Product): Element[] {
  const { imprint, book, chance } = product;
  const people = new Map<string, string[]>();
  for (const { role, name } of product.contributors) people.set(name, [...(people.get(name) ?? []), role]);
  if (people.size === 0) return [flag("NoContributor")];
  return [...people].map(([name, roles], index) => {
    const note = chance("note") < 0.22 ? NOTES[name]?.[imprint.prose] : undefined;
    return group(
      "Contributor",
      leaf("SequenceNumber", index + 1),
      roles.map((role) => leaf("ContributorRole", role)),
      roles.includes("B06") && book.from !== undefined && leaf("FromLanguage", book.from[0]),
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
    ...(statement ? [leaf("EditionStatement", statement, { language: imprint.prose })] : []),
  ];
}

function languages({ book, imprint }: Product): Element[] {
  const language = (role: string, code: string) =>
    group("Language", leaf("LanguageRole", role), leaf("LanguageCode", code));
  return [
    ...(book.text ?? [imprint.language]).map((code) => language("01", code)),
    ...(book.from ? [language("02", book.from[0])] : []),
  ];
}

function illustrations({ book, form, imprint, chance }: Product): Element[] {
  const { illustrations: pictures } = book;
  if (form === "AJ") return [];
  if (!pictures) {
    const index = (book.kind === "essay" || book.kind === "travel") && chance("index") < 0.7;
    return [
      ...(chance("illustrated") < 0.1 ? [leaf("Illustrated", "01")] : []),
      ...(index ? [group("AncillaryContent", leaf("AncillaryContentType", "25"))] : []),
    ];
  }
  return [
    leaf("Illustrated", "02"),
    leaf("NumberOfIllustrations", pictures.count),
    ...(pictures.note ? [leaf("IllustrationsNote", pictures.note, { language: imprint.prose })] : []),
    group("AncillaryContent", leaf("AncillaryContentType", pictures.type), leaf("Number", pictures.count)),
  ];
}

function subjects({ book, imprint, chance }: Product): Element[] {
  const english = imprint.prose === "eng" || imprint.prose === "ger" || imprint.prose === "fre";
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
    subject("93", code, english ? inEnglish : inSpanish, main);
  const bisac = heading.bisac;
  const century = CENTURIES[String(book.year ?? 0).slice(0, 2)];
  const age = book.ages && AGES[book.ages[0]];
  const place = book.place !== undefined ? PLACES[book.place] : undefined;
  const found = [thema(heading.thema, true)];
  if (heading.also && chance("also") < 0.2) found.push(thema(heading.also, false));
  if (chance("bisac") < 0.8) found.push(subject("10", bisac[0], bisac[1]));
  if (place && chance("place") < 0.2) found.push(subject("94", book.place, place[english ? 0 : 1]));
  if (century && chance("century") < 0.12) found.push(subject("96", century[0], century[english ? 1 : 2]));
  if (age && isForChildren(book.kind)) {
    const from = book.ages![0];
    const text = english ? `Interest age: from c ${from} years` : `Edad de interés: a partir de ${from} años`;
    found.push(subject("98", age, text));
  }
  if (chance("keywords") < 0.4 || found.length < 2) found.push(subject("20", undefined, book.keywords));
  return chance("subject order") < 0.12 ? [...found.slice(1), found[0]!] : found;
}

function readers({ book, chance }: Product): Element[] {
  const children = isForChildren(book.kind);
  const code = children ? "02" : book.kind === "yearbook" ? "06" : "01";
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
    readers(product),
  );
}
