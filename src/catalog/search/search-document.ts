/** What a search index holds of a book. Each text is a list of terms, separated by spaces. */
export interface SearchDocument {
  /** The words of all titles and subtitles, each between `TITLE_START` and `TITLE_END`. */
  readonly title: string;
  /** The words of the names of all contributors. */
  readonly contributor: string;
  /** The words of collections, the imprint, the publisher, subjects and identifiers. */
  readonly rest: string;
  /** The first words of the description. */
  readonly description: string;
  /** The terms of the filters; see `filterTerm`. */
  readonly filter: string;
  /** See `titleKeyOf`. */
  readonly titleKey: string;
  /** The slug of the imprint. This and the following are what facets count by. */
  readonly imprint: string | undefined;
  readonly languages: readonly string[];
  readonly form: string | undefined;
  readonly availability: string | undefined;
  /** The bits of what the book lacks; see `lackingBits`. */
  readonly lacks: number;
  /** The price bands that the book is counted in; see `bandKeysOf`. */
  readonly prices: readonly string[];
  /** 16 hexadecimal digits that change with the rest: a book whose digest stays the same need not be indexed again. */
  readonly digest: string;
}

/** Raised by each change of the rules. A released catalog needs a migration then, which indexes all books again. */
export const SEARCH_RULES = 2;

/** Returns the digest of the other fields of a document. */
export function digestOfFields(fields: Omit<SearchDocument, "digest">): string {
  const packed = packDocument({ ...fields, digest: "" });
  return Bun.hash.xxHash64(packed).toString(16).padStart(16, "0");
}

/** Separates the fields of a packed document. No term has it. */
const FIELD_BREAK = "\u001f";
const ITEM_BREAK = "\u001e";

/** Returns the document as one text. */
export function packDocument(document: SearchDocument): string {
  const {
    title,
    contributor,
    rest,
    description,
    filter,
    titleKey,
    imprint,
    languages,
    form,
    availability,
    lacks,
    prices,
    digest,
  } = document;
  return [
    title,
    contributor,
    rest,
    description,
    filter,
    titleKey,
    imprint ?? "",
    languages.join(ITEM_BREAK),
    form ?? "",
    availability ?? "",
    lacks,
    prices.join(ITEM_BREAK),
    digest,
  ].join(FIELD_BREAK);
}

export function unpackDocument(packed: string): SearchDocument {
  const fields = packed.split(FIELD_BREAK);
  const [title = "", contributor = "", rest = "", description = "", filter = "", titleKey = ""] = fields;
  const [imprint, languages = "", form, availability, lacks, prices = "", digest = ""] = fields.slice(6);
  return {
    title,
    contributor,
    rest,
    description,
    filter,
    titleKey,
    imprint: imprint || undefined,
    languages: languages === "" ? [] : languages.split(ITEM_BREAK),
    form: form || undefined,
    availability: availability || undefined,
    lacks: Number(lacks),
    prices: prices === "" ? [] : prices.split(ITEM_BREAK),
    digest,
  };
}
