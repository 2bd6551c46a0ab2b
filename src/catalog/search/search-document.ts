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
  /** The terms of the filters that rarely change; see `filterTerm`. */
  readonly filter: string;
  /** The terms of the filters that feeds change every night: availability, status and what is lacking. */
  readonly facts: string;
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
  /** 16 hexadecimal digits that change with all fields but the nightly ones. The words of a book with the same digest stay. */
  readonly digest: string;
}

/** Raised by each change of the rules. A released catalog needs a migration then, which indexes all books again. */
export const SEARCH_RULES = 3;

/** The fields that the index of words has. */
export const INDEXED_FIELDS = ["description", "title", "contributor", "rest", "filter"] as const;
export type IndexedField = (typeof INDEXED_FIELDS)[number];
/** The fields that are columns beside the index of words. */
export type StoredField = Exclude<keyof SearchDocument, IndexedField>;

/** The fields that feeds change every night. A change of them rewrites no words. */
export type NightlyField = "facts" | "availability" | "lacks" | "prices";
export const NO_NIGHTLY = { facts: "", availability: undefined, lacks: 0, prices: [] } as const;

/** Returns the digest of all fields but the nightly ones. */
export function digestOfWords(fields: Omit<SearchDocument, NightlyField | "digest">): string {
  const packed = packDocument({ ...fields, ...NO_NIGHTLY, digest: "" });
  return Bun.hash.xxHash64(packed).toString(16).padStart(16, "0");
}

/** Returns what `verify` compares of the index, as one text. */
export function stateOf({
  digest,
  facts,
  prices,
}: Pick<SearchDocument, "digest" | "facts" | "prices">): string {
  return [digest, facts, ...prices].join(" ");
}

/** Separate the fields of a packed document, and the items of a field. No term has them. */
const FIELD_BREAK = "\u001f";
const ITEM_BREAK = "\u001e";

const identity = (text: string): string => text;
const orUndefined = (text: string): string | undefined => text || undefined;
const listOf = (text: string): readonly string[] => (text === "" ? [] : text.split(ITEM_BREAK));

/** Reads each field of a packed document, in the order in which they are packed. */
const READERS: { readonly [Field in keyof SearchDocument]: (text: string) => SearchDocument[Field] } = {
  title: identity,
  contributor: identity,
  rest: identity,
  description: identity,
  filter: identity,
  facts: identity,
  titleKey: identity,
  imprint: orUndefined,
  languages: listOf,
  form: orUndefined,
  availability: orUndefined,
  lacks: Number,
  prices: listOf,
  digest: identity,
};
const FIELDS = Object.keys(READERS) as readonly (keyof SearchDocument)[];

/** Returns the document as one text. */
export function packDocument(document: SearchDocument): string {
  let packed = "";
  for (const field of FIELDS) {
    const value = document[field] ?? "";
    packed += (typeof value === "object" ? value.join(ITEM_BREAK) : value) + FIELD_BREAK;
  }
  return packed.slice(0, -1);
}

export function unpackDocument(packed: string): SearchDocument {
  const texts = packed.split(FIELD_BREAK);
  const document: Record<string, unknown> = {};
  FIELDS.forEach((field, index) => {
    document[field] = READERS[field](texts[index] ?? "");
  });
  return document as unknown as SearchDocument;
}
