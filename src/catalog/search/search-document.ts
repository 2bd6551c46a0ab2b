/**
 * What a search index holds of a book, as bytes: a scanner thread writes them, and a store takes them as they are. Each
 * text is a list of terms in UTF-8, separated by spaces.
 */
import type { BookFields } from "../../onix/fields/book-fields.ts";
import type { SupplySummary } from "../../onix/summary/summary.ts";

/** Raised by each change of the rules. A released catalog needs a migration then, which indexes all books again. */
export const SEARCH_RULES = 8;

/** The parts of a document, in the order of their bytes. */
export const PARTS = [
  /** The first words of the description. */
  "description",
  /** The words of all titles and subtitles, each between `TITLE_START` and `TITLE_END`. */
  "title",
  /** The words of the names of all contributors. */
  "contributor",
  /** The words of collections, the imprint and the publisher. */
  "label",
  /** Numbers of volumes, the words of subjects, and identifiers. They continue those before: an index has both as one text. */
  "rest",
  /** The terms of the filters that rarely change; see `filterTerm`. */
  "filter",
  /** The terms that tell which words are in a title or a name; see `TITLE_WORD`. */
  "marks",
  /** The title key, imprint, languages, form and audience. The digest is that of the parts up to here. */
  "values",
  /** What feeds change every night: availability, what is lacking, and prices. */
  "nightly",
  /** The terms of the filters that feeds change every night. */
  "facts",
] as const;
type DocumentPart = (typeof PARTS)[number];

const PART_INDEX = Object.fromEntries(PARTS.map((part, index) => [part, index])) as Readonly<
  Record<DocumentPart, number>
>;

/** Separate values, and the items of a value. No value has them. */
export const VALUE_BREAK = "\u001f";
export const ITEM_BREAK = "\u001e";

/** The documents of some books, one after the other. */
export interface SearchDocuments {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The ends of the parts of each book in `bytes`. All parts are empty for a book without a document. */
  readonly ends: Uint32Array;
}

/** Returns the document of one of the books, or undefined when it has none. */
export function documentOf(documents: SearchDocuments, book: number): SearchDocument | undefined {
  const first = book * PARTS.length;
  const { ends } = documents;
  const isThere = first < ends.length && ends[first + PARTS.length - 1] !== (ends[first - 1] ?? 0);
  return isThere ? new SearchDocument(documents, first) : undefined;
}

const decoder = new TextDecoder();

/** A range of the bytes of a chunk. Its getters decode it. */
export class SearchDocument {
  #values: readonly string[] | undefined;

  /** `first` is the index of its first end. */
  constructor(
    private readonly documents: SearchDocuments,
    private readonly first: number,
  ) {}

  /** Returns the bytes of a part, or from a part to the end of a later one. */
  bytesOf(part: DocumentPart, last = part): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(...this.rangeOf(part, last));
  }

  /** The bytes of all books of the chunk. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.documents.bytes;
  }

  /** Returns where these bytes are in `bytes`. */
  rangeOf(part: DocumentPart, last = part): readonly [start: number, end: number] {
    const { ends } = this.documents;
    return [ends[this.first + PART_INDEX[part] - 1] ?? 0, ends[this.first + PART_INDEX[last]]!];
  }

  /** Returns the number of bytes that the index of words gets. */
  get wordBytes(): number {
    const { ends } = this.documents;
    return ends[this.first + PART_INDEX.marks]! - (ends[this.first - 1] ?? 0);
  }

  get description(): string {
    return this.#text("description");
  }
  get title(): string {
    return this.#text("title");
  }
  get contributor(): string {
    return this.#text("contributor");
  }
  get label(): string {
    return this.#text("label");
  }
  /** The text of the index: the labels, too. */
  get rest(): string {
    return this.#text("label", "rest");
  }
  get filter(): string {
    return this.#text("filter");
  }
  get marks(): string {
    return this.#text("marks");
  }
  get facts(): string {
    return this.#text("facts");
  }

  /** The first words of the title; see `MAX_TITLE_KEY_CHARS`. */
  get titleKey(): string {
    return this.#value(0);
  }
  /** The slug of the imprint. This and the following are what facets count by. */
  get imprint(): string | undefined {
    return this.#value(1) || undefined;
  }
  get languages(): readonly string[] {
    return itemsOf(this.#value(2));
  }
  get form(): string | undefined {
    return this.#value(3) || undefined;
  }
  get audience(): readonly string[] {
    return itemsOf(this.#value(4));
  }
  get availability(): string | undefined {
    return this.#value(5) || undefined;
  }
  /** The bits of what the book lacks; see `lackingBits`. */
  get lacks(): number {
    return Number(this.#value(6));
  }
  /** The price bands that the book is counted in; see `bandKeysOf`. */
  get prices(): readonly string[] {
    return itemsOf(this.#value(7));
  }

  /** 16 hexadecimal digits that change with all parts but the nightly ones. The words of a book with the same digest stay. */
  get digest(): string {
    const hash = Bun.hash.xxHash64(this.bytesOf("description", "values"));
    return hash.toString(16).padStart(16, "0");
  }

  #text(part: DocumentPart, last = part): string {
    return decoder.decode(this.bytesOf(part, last));
  }

  #value(index: number): string {
    this.#values ??= decoder.decode(this.bytesOf("values", "nightly")).split(VALUE_BREAK);
    return this.#values[index]!;
  }
}

function itemsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(ITEM_BREAK);
}

/** The fields that are columns beside the index of words. */
const STORED_FIELDS = [
  ...(["digest", "titleKey", "imprint", "languages", "form", "audience"] as const),
  ...(["availability", "lacks", "facts", "prices"] as const),
];
export type StoredField = (typeof STORED_FIELDS)[number];

/** An update of the blocks ProductSupply alone, with what is known of the summary after it. */
export interface SupplyUpdate {
  readonly update: BookFields;
  readonly summary: SupplySummary;
}

/** The fields of a document that feeds change every night. */
export type NightlyFields = Pick<SearchDocument, "facts" | "availability" | "lacks" | "prices">;

/** Returns what `verify` compares of the index, as one text. */
export function stateOf(stored: { readonly [Field in StoredField]: SearchDocument[Field] | null }): string {
  const facts = sortedFacts(stored.facts ?? "");
  return JSON.stringify(STORED_FIELDS.map((field) => (field === "facts" ? facts : (stored[field] ?? null))));
}

/** Returns the facts in one order: a store may have them in another. */
export function sortedFacts(facts: string): string {
  return facts.split(" ").sort().join(" ");
}
