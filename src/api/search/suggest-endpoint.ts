/** The endpoint /api/suggest. */
import type { FieldTerm, SearchTerm } from "../../catalog/search/query.ts";
import { queryText } from "../../catalog/search/query.ts";
import { MAX_QUERY_WORDS, parseQuery } from "../../catalog/search/query-parser.ts";
import { SEARCH_RULES } from "../../catalog/search/search-document.ts";
import { wordsOf } from "../../catalog/search/word-writer.ts";
import type { ReadableStore, Snapshot } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { SUMMARY_RULES } from "../../onix/summary/summary.ts";
import { badRequest } from "../errors.ts";
import { limitUpTo } from "../parameters/kinds.ts";
import { inQuery, type Kind, type Values } from "../parameters/parameter.ts";
import { DocumentResult } from "../response/responder.ts";
import type { Endpoint, EndpointCaller } from "../route.ts";
import { refusable } from "./search-endpoints.ts";
import {
  correctionOf,
  type FoundLabels,
  type LabelledBook,
  MAX_SUGGESTIONS,
  type Suggestion,
  suggestionsOf,
} from "./suggestions.ts";

const DEFAULT_SUGGESTIONS = 8;
const MAX_TYPED_CHARS = 200;

/** The newest books whose labels are read. Their titles are suggested, and the names that many of them share. */
const READ_BOOKS = 24;

const FEW_SUGGESTIONS = 3;

/** Quotation marks and asterisks that are being typed are no errors: only the words count. */
const typedText: Kind<string> = {
  parse(value, name) {
    if (value.length > MAX_TYPED_CHARS)
      return badRequest(`Give ${name} with at most ${MAX_TYPED_CHARS} characters.`);
    if (wordsOf(value).length > MAX_QUERY_WORDS)
      return badRequest(`Give ${name} with at most ${MAX_QUERY_WORDS} words.`);
    return value;
  },
  schema: { type: "string", maxLength: MAX_TYPED_CHARS },
};

export const SUGGEST_PARAMETERS = {
  q: inQuery(typedText, {
    description: "What was typed. Without words, there are no suggestions.",
    default: "",
  }),
  limit: inQuery(limitUpTo(MAX_SUGGESTIONS), {
    description: `The most suggestions, 1 to ${MAX_SUGGESTIONS}. Default: ${DEFAULT_SUGGESTIONS}.`,
    default: DEFAULT_SUGGESTIONS,
  }),
};

export const suggest: Endpoint<Values<typeof SUGGEST_PARAMETERS>> = (
  { store },
  { q, limit },
  _choice,
  caller,
) =>
  refusable(async () => {
    const typed = typedWordsOf(q);
    // A single letter is not searched for: too many words begin with it.
    const isLetter = typed.at(-1)?.length === 1;
    const searched = isLetter ? typed.slice(0, -1) : typed;
    const fields = ["title", "name", "label"] as const;
    const found = await Promise.all(
      fields.map((field) =>
        typed.length > 0 ? newestBooks(store, termsOf(searched, field, q, !isLetter), caller) : NO_BOOKS,
      ),
    );
    const snapshot = await store.snapshot();
    try {
      const labels = await labelsOf(
        snapshot,
        found.flatMap(({ isbns }) => isbns),
      );
      const [titles, names, others] = found.map(({ isbns, isWhole }): FoundLabels => {
        return { books: isbns.flatMap((isbn) => labels.get(isbn) ?? []), isWhole };
      });
      const completions = suggestionsOf(typed, titles!, names!, others!, limit);
      const suggestions = await withCorrection(store, searched, completions, caller);
      const body = new TextEncoder().encode(JSON.stringify({ suggestions }));
      // An import may have ended between the searches: no state of the catalog has this response then.
      const states = new Set([...found.flatMap(({ revision }) => revision ?? []), snapshot.revision]);
      const state = [...states].join("-");
      return new DocumentResult(body, `${state}-q${SEARCH_RULES}-s${SUMMARY_RULES}`, state);
    } finally {
      snapshot.close();
    }
  });

/** Offers a correction beside few suggestions. Before nothing else, it is the first. */
async function withCorrection(
  store: ReadableStore,
  searched: readonly string[],
  suggestions: readonly Suggestion[],
  caller: EndpointCaller,
): Promise<readonly Suggestion[]> {
  if (searched.length === 0 || suggestions.length >= FEW_SUGGESTIONS) return suggestions;
  const { terms, excluded } = parseQuery(searched.join(" "), true);
  const { query } = await store.correct({ terms, excluded }, caller);
  // Words with an asterisk are no better text than the typed one.
  const isText = query?.terms.every((term) => term.kind !== "prefix" || term.orWord);
  return isText ? [...suggestions, correctionOf(queryText(query!))] : suggestions;
}

/** Returns no words for a single letter: the next one follows soon. */
function typedWordsOf(q: string): readonly string[] {
  const words = wordsOf(q);
  return words.length === 1 && words[0]!.length === 1 ? [] : words;
}

interface NewestBooks {
  readonly isbns: readonly Isbn13[];
  readonly isWhole: boolean;
  readonly revision: string | undefined;
}

const NO_BOOKS: NewestBooks = { isbns: [], isWhole: true, revision: undefined };

/** All words are in one kind of text. Digits can be the beginning of an ISBN, too. */
function termsOf(
  words: readonly string[],
  field: FieldTerm["field"],
  q: string,
  isTyping: boolean,
): readonly SearchTerm[] {
  if (field === "title" && /^[0-9 -]+$/.test(q)) return parseQuery(words.join("-"), true).terms;
  return words.map((word, index) => {
    return { kind: "field", field, word, isPrefix: isTyping && index === words.length - 1 };
  });
}

async function newestBooks(
  store: ReadableStore,
  terms: readonly SearchTerm[],
  caller: EndpointCaller,
): Promise<NewestBooks> {
  const query = { terms, excluded: [] };
  const request = { query, filters: {}, sort: "newest", limit: READ_BOOKS, isUncounted: true } as const;
  const { keys, revision } = await store.search(request, caller);
  return { isbns: keys.map(({ isbn }) => isbn), isWhole: keys.length < READ_BOOKS, revision };
}

/** Reads a batch in each tick: 72 books with a hundred contributors each take 20 ms. */
export async function labelsOf(
  snapshot: Pick<Snapshot, "missing" | "bodies">,
  found: readonly Isbn13[],
): Promise<ReadonlyMap<string, LabelledBook>> {
  const gone = new Set(await snapshot.missing(found));
  const isbns = [...new Set(found)].filter((isbn) => !gone.has(isbn));
  const labels = new Map<string, LabelledBook>();
  for await (const bodies of snapshot.bodies({ kind: "isbns", isbns }, "summary")) {
    for (const body of bodies) {
      const label = labelOf(body);
      labels.set(label.isbn, label);
    }
    await new Promise(setImmediate);
  }
  return labels;
}

/** Descriptions are most of the bytes of summaries. No text has this member name: its quotation marks are escaped there. */
const AFTER_LABELS = Buffer.from(',"publisher":');

function labelOf(summary: Uint8Array): LabelledBook {
  const { buffer, byteOffset, byteLength } = summary;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const end = bytes.indexOf(AFTER_LABELS);
  return JSON.parse(end < 0 ? bytes.toString() : `${bytes.toString("utf8", 0, end)}}`);
}
