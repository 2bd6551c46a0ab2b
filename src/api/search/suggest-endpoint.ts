/** The endpoint /api/suggest. */
import type { SearchTerm } from "../../catalog/search/query.ts";
import { queryText } from "../../catalog/search/query.ts";
import { areInitials, MAX_QUERY_WORDS, parseQuery } from "../../catalog/search/query-parser.ts";
import type { NewestMatches } from "../../catalog/search/search.ts";
import { wordsOf } from "../../catalog/search/word-writer.ts";
import type { ReadableStore, Snapshot } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { badRequest } from "../errors.ts";
import { limitUpTo } from "../parameters/kinds.ts";
import { inQuery, type Kind, type Values } from "../parameters/parameter.ts";
import { DocumentResult } from "../response/responder.ts";
import type { Endpoint, EndpointCaller } from "../route.ts";
import { knownBooks, type LabelField, newestMatches, readLabels } from "./newest-labels.ts";
import { refusable } from "./search-endpoints.ts";
import {
  correctionOf,
  type FoundLabels,
  type LabelledBook,
  MAX_SUGGESTIONS,
  type Suggestion,
  suggestionsOf,
  type TypedWord,
} from "./suggestions.ts";

const DEFAULT_SUGGESTIONS = 8;
const MAX_TYPED_CHARS = 200;

/** The newest books whose labels are read. Their titles are suggested, and the names that many of them share. */
const READ_BOOKS = 24;

/** An unfinished word beside others is searched for when it has so many characters. */
const MIN_SEARCHED_CHARS = 4;

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
  { store, newestLabels },
  { q, limit },
  _choice,
  caller,
) =>
  refusable(async () => {
    const named = typedWordsOf(q);
    const typed = named.map(({ word }, index): TypedWord => {
      return { word, isBegun: index === named.length - 1, isInitial: false };
    });
    // Digits can be the beginning of an ISBN.
    const isbn =
      typed.length > 0 && /^[0-9 -]+$/.test(q) ? parseQuery(textOf(typed, "-"), true).terms : undefined;
    // The index is not asked for a short beginning beside other words: it would read too many words, of too many books.
    const isShort = isbn === undefined && typed.length > 1 && typed.at(-1)!.word.length < MIN_SEARCHED_CHARS;
    const searched = isShort ? typed.slice(0, -1) : typed;
    // The books of an ISBN are few, and need no labels in memory.
    const hasWords = typed.length > 0 && isbn === undefined;
    const known = hasWords ? await newestLabels.of(store) : undefined;
    const found = await Promise.all(
      FIELDS.map(async (field): Promise<FoundBooks> => {
        if (typed.length === 0) return { ...NO_BOOKS, newest: [] };
        const words = field === "name" ? named : typed;
        const newest = known ? knownBooks(known, field, words, READ_BOOKS) : [];
        if (newest.length === READ_BOOKS) return { ...NO_BOOKS, newest, isWhole: false };
        const searchedWords = words.slice(0, searched.length);
        const terms = field === "title" && isbn ? isbn : fieldTerms(searchedWords, field);
        const matches = known ? newestMatches(known, field, searchedWords) : undefined;
        const limit = isShort ? 2 * READ_BOOKS : READ_BOOKS;
        return { ...(await newestBooks(store, terms, limit, matches, caller)), newest };
      }),
    );
    const unknown = new Set(
      found.flatMap(({ isbns }) => isbns.filter((each) => known?.labels.has(each) !== true)),
    );
    const { revision, completions } = await completionsOf(store, known, [...unknown], (labels) => {
      const [titles, names, others] = found.map(({ newest, isbns, isWhole }): FoundLabels => {
        const books = isbns.flatMap((each) => known?.labels.get(each) ?? labels.get(each) ?? []);
        return { books: [...new Set([...newest, ...books])], isWhole };
      });
      return suggestionsOf(typed, named, titles!, names!, others!, limit, isShort);
    });
    // A query that finds books needs no correction.
    const isFound = found.some(({ newest, isbns }) => newest.length + isbns.length > 0);
    const completed = completions.map(({ source: _, ...shown }) => shown);
    const corrected = isFound ? undefined : await correctionsOf(store, textOf(searched, " "), caller);
    // An import may have ended between the searches: no state of the catalog has this response then.
    const revisions = [...found.map((each) => each.revision), known?.revision, revision, corrected?.revision];
    const states = new Set(revisions.filter((each) => each !== undefined));
    // Others would be suggested with the labels, which could not be read.
    if (hasWords && known === undefined) states.add("unknown");
    return new DocumentResult({ suggestions: corrected?.suggestions ?? completed }, [...states].join("-"));
  });

type Complete = (labels: ReadonlyMap<string, LabelledBook>) => readonly Suggestion[];

/** Reads labels that are not known, and completes with them. Reads at least the revision when nothing is known. */
async function completionsOf(
  store: ReadableStore,
  known: { readonly revision: string } | undefined,
  isbns: readonly Isbn13[],
  complete: Complete,
) {
  if (known && isbns.length === 0) return { revision: known.revision, completions: complete(new Map()) };
  const snapshot = await store.snapshot();
  try {
    return { revision: snapshot.revision, completions: await completionsIn(snapshot, isbns, complete) };
  } finally {
    snapshot.close();
  }
}

/** Few of the books are shown. Only their summaries are checked. */
async function completionsIn(snapshot: Snapshot, isbns: readonly Isbn13[], complete: Complete) {
  const checked = (read: readonly Isbn13[]) => snapshot.bodies({ kind: "isbns", isbns: read }, "summary");
  const completeChecked = async () => complete(await readLabels(checked, isbns));
  const completions = await readLabels((read) => snapshot.summaryStarts(read), isbns)
    .then(complete)
    // A damaged summary may have any form. Checking it throws an error that names the ISBN.
    .catch(completeChecked);
  const sources = new Set(completions.map(({ source }) => source));
  for await (const _ of checked(isbns.filter((isbn) => sources.has(isbn))));
  return completions;
}

async function correctionsOf(
  store: ReadableStore,
  text: string,
  caller: EndpointCaller,
): Promise<{ readonly suggestions: readonly Suggestion[]; readonly revision?: string }> {
  if (text === "") return { suggestions: [] };
  const { terms, excluded } = parseQuery(text, true);
  const { query, revision } = await store.correct({ terms, excluded }, caller);
  // Words with an asterisk are no better text than the typed one.
  const isText = query?.terms.every((term) => term.kind !== "prefix" || term.orWord);
  return { suggestions: isText ? [correctionOf(queryText(query!))] : [], revision };
}

/** Returns the words as those of names. A single letter is none: the next one follows soon. */
function typedWordsOf(q: string): readonly TypedWord[] {
  const words = q.split(/\s+/).flatMap((text) => {
    const each = wordsOf(text);
    const isInitial = areInitials(text, each);
    return each.map((word) => ({ word, isInitial }));
  });
  if (words.length === 1 && words[0]!.word.length === 1) return [];
  return words.map((each, index) => ({ ...each, isBegun: each.isInitial || index === words.length - 1 }));
}

function textOf(words: readonly TypedWord[], separator: string): string {
  return words.map(({ word }) => word).join(separator);
}

interface NewestBooks {
  readonly isbns: readonly Isbn13[];
  readonly isWhole: boolean;
  readonly revision: string | undefined;
}

/** `newest` are books that need no search, the newest of all. */
interface FoundBooks extends NewestBooks {
  readonly newest: readonly LabelledBook[];
}

const NO_BOOKS: NewestBooks = { isbns: [], isWhole: true, revision: undefined };
const FIELDS: readonly LabelField[] = ["title", "name", "label"];

/** All words are in one kind of text. */
function fieldTerms(words: readonly TypedWord[], field: LabelField): readonly SearchTerm[] {
  return words.map(({ word, isBegun, isInitial }) =>
    isInitial ? { kind: "initials", letters: [word] } : { kind: "field", field, word, isPrefix: isBegun },
  );
}

async function newestBooks(
  store: ReadableStore,
  terms: readonly SearchTerm[],
  limit: number,
  newestMatches: NewestMatches | undefined,
  caller: EndpointCaller,
): Promise<NewestBooks> {
  const query = { terms, excluded: [] };
  const request = { query, filters: {}, sort: "newest", limit, isUncounted: true, newestMatches } as const;
  const { keys, revision } = await store.search(request, caller);
  return { isbns: keys.map(({ isbn }) => isbn), isWhole: keys.length < limit, revision };
}
