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
}

/** Raised by each change of the rules. It comes with a migration that indexes all books again. */
export const SEARCH_RULES = 1;

/** Returns 16 hexadecimal digits that change with the document: books with equal ones need not be indexed again. */
export function digestOfDocument(document: SearchDocument): string {
  return new Bun.CryptoHasher("sha256").update(packDocument(document)).digest("hex").slice(0, 16);
}

/** Separates the fields of a packed document. No term has it. */
const FIELD_BREAK = "\u001f";
const ITEM_BREAK = "\u001e";

/** Returns the document as one text. */
export function packDocument(document: SearchDocument): string {
  const { title, contributor, rest, description, filter, titleKey, imprint, languages, form, availability } =
    document;
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
  ].join(FIELD_BREAK);
}

export function unpackDocument(packed: string): SearchDocument {
  const [title, contributor, rest, description, filter, titleKey, imprint, languages, form, availability] =
    packed.split(FIELD_BREAK) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
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
  };
}
