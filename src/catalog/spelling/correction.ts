/**
 * Corrects a query that finds nothing: near words of titles, names and labels, initials of names, spaces that are missing
 * or too many, articles, numerals, and parts of ISBNs. The rules are a generator that asks questions. The result depends on
 * the query and on the books. Words of books that are gone can only take places among more than 200 near words.
 */
import { compareCodePoints } from "../../lib/text.ts";
import { queryText, type SearchQuery, type SearchTerm } from "../search/query.ts";
import { withoutArticles, withoutExtraWords, withoutLabels, withoutNumbers } from "./omissions.ts";
import { type Asking, countBooks, readWords } from "./questions.ts";
import { replaceWords } from "./replacements.ts";
import {
  beginningsOf,
  initialsOf,
  isbnsOf,
  joinsOf,
  nearIsbnsOf,
  numeralsOf,
  unknownBeginningsOf,
  withSplitInitials,
} from "./rewrites.ts";
import type { WordList } from "./word-list.ts";

/** Longer queries are not corrected: each word costs time, and a header and cursors have the corrected query. */
const MAX_WORDS = 10;
const MAX_CHARS = 120;
/** `jrr` */
const MAX_INITIALS = 3;
/** Of a word that no book has, and that nothing else explains. */
const MAX_RARE_INITIALS = 5;

/** Returns the corrected query. Returns undefined for a query that finds books, and for one without a correction. */
export function* correct(query: SearchQuery, words: WordList): Asking<SearchQuery | undefined> {
  const { terms } = query;
  const count = terms.reduce((sum, term) => sum + ("words" in term ? term.words.length : 1), 0);
  if (count > MAX_WORDS || queryText(query).length > MAX_CHARS) return undefined;
  const known = yield* knownTerms(query);
  if (known === undefined) return undefined;
  // A short word that no book has can be initials, or have a mistake.
  const [withInitials, withLetters] = [MAX_INITIALS, 1].map((max) => ({
    ...query,
    terms: terms.map((term) => initialsOf(term, known.has(term) ? 1 : max)[0] ?? term),
  }));
  const isSame = queryText(withLetters!) === queryText(withInitials!);
  const bare = withoutArticles(withLetters!);
  const unlabelled = [withLetters!, ...bare].flatMap(withoutLabels);
  const plain = [query, ...withoutArticles(query)];
  const unnumbered = withoutNumbers(withLetters!).filter(hasOthers);
  const bareUnnumbered = bare.flatMap(withoutNumbers).filter(hasOthers);
  const rewritten = yield* firstFound([
    [withLetters!].filter((each) => hasOthers(each) && queryText(each) !== queryText(query)),
    isbnsOf(query),
    joinsOf(query),
    // `treasure isl` is more likely than `treasure i.s.l.`
    unknownBeginningsOf(withLetters!, known, MAX_INITIALS),
    bare.filter(hasOthers),
    unlabelled.filter(hasOthers),
    // `tomo ii` is more likely than `tomo i.i.`
    [...plain, ...plain.flatMap(withoutLabels)].flatMap(numeralsOf),
    [withInitials!].filter((each) => hasOthers(each) && !isSame),
    withSplitInitials(query),
    unnumbered,
    bareUnnumbered,
  ]);
  if (rewritten) return rewritten;
  const isbns = nearIsbnsOf(query);
  const books = yield* countBooks(isbns, 1);
  const near = isbns.filter((_, index) => books[index]! > 0);
  // Two books may be meant, and nothing tells which one.
  if (near.length > 0) return near.length === 1 ? near[0] : undefined;
  yield* readWords(words);
  for (const each of isSame ? [withLetters!] : [withLetters!, withInitials!]) {
    const replaced = yield* replaceWords(each, known, words);
    if (replaced) return replaced;
  }
  const otherInitials = terms.flatMap((term, index) =>
    initialsOf(term, known.has(term) ? MAX_INITIALS : MAX_RARE_INITIALS).map((initials) => ({
      ...query,
      terms: terms.with(index, initials),
    })),
  );
  const withoutExtra = plain.flatMap(withoutExtraWords);
  const found = yield* firstFound([...withoutExtra.map((each) => [each].filter(hasOthers)), otherInitials]);
  if (found) return found;
  const [shorter, shortest] = bare.length > 0 ? [bare, bareUnnumbered] : [[withLetters!], unnumbered];
  for (const each of [...bare, ...shorter.flatMap(withoutLabels), ...shortest, ...withoutExtra]) {
    const withoutSome = yield* replaceWords(each, known, words);
    if (withoutSome) return withoutSome;
  }
  // Most wrong words begin no word. Otherwise a common beginning beside them is looked for, for nothing.
  const unknown = unknownBeginningsOf({ ...query, terms: terms.filter((term) => !known.has(term)) }, known);
  if ((yield* countBooks(unknown)).includes(0)) return undefined;
  for (const queries of beginningsOf(query, known)) {
    const begun = yield* firstFound([queries]);
    if (begun) return begun;
  }
  return undefined;
}

/** Initials alone are those of too many people. */
function hasOthers({ terms }: SearchQuery): boolean {
  return terms.some(({ kind }) => kind !== "initials");
}

/** Returns the query with the most books of the first group in which queries find books. */
function* firstFound(groups: readonly (readonly SearchQuery[])[]): Asking<SearchQuery | undefined> {
  const counts = yield* countBooks(groups.flat());
  const found = groups
    .flatMap((queries, group) => queries.map((query) => ({ query, group, text: queryText(query) })))
    .map((each, index) => ({ ...each, books: counts[index]! }))
    .filter(({ books }) => books > 0)
    .sort((a, b) => a.group - b.group || b.books - a.books || compareCodePoints(a.text, b.text));
  return found[0]?.query;
}

/** Returns the words that books have, and the terms of other kinds that find books, or undefined when a book has all. */
function* knownTerms(query: SearchQuery): Asking<ReadonlySet<string | SearchTerm> | undefined> {
  const parts = query.terms.flatMap((term): (readonly [string | SearchTerm, SearchTerm])[] =>
    term.kind === "words"
      ? term.words.map((word) => [word, { kind: "words", words: [word] }])
      : [[term, term]],
  );
  const [books, ...counts] = yield* countBooks(
    [query, ...parts.map(([, term]) => ({ terms: [term], excluded: [] }))],
    1,
  );
  if (books! > 0) return undefined;
  const known = new Set(parts.flatMap(([key], index) => (counts[index]! > 0 ? [key] : [])));
  for (const term of query.terms)
    if (term.kind === "words" && term.words.every((word) => known.has(word))) known.add(term);
  return known;
}
