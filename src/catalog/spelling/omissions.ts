/** Words that are left out of a query that finds nothing, and numbers without what labels them. */
import type { SearchQuery, SearchTerm } from "../search/query.ts";
import { isUnspaced } from "../search/tokens.ts";
import { LETTERS, ROMAN_NUMERALS, typedWordOf, wordOf } from "./rewrites.ts";

const VOLUME_WORDS = "vol volume volumen tomo tome band";
/** People add these to what they look for: `hamlet ebook`. */
const PRODUCT_WORDS: ReadonlySet<string> = setOf(
  "book ebook audiobook paperback hardcover edition novel libro audiolibro novela llibre livre roman livro buch boek bok bog epub pdf kindle",
);
/**
 * Articles of English, Spanish, Catalan, French, German, Italian, Portuguese and Dutch, words for a volume, those for an
 * ampersand, and those before an author: `hamlet by shakespeare`.
 */
const ARTICLES: ReadonlySet<string> = setOf(
  `${VOLUME_WORDS} a an the el la lo los las un una unos unas els les le l une der die das den ein eine il gli i o os as um uma de het een and y e et und en og och by par por von`,
);
/** Words before a number that are left out with it: `libro 2`. */
const NUMBER_LABELS: ReadonlySet<string> = new Set([
  ...PRODUCT_WORDS,
  ...setOf(
    `${VOLUME_WORDS} part parte partie teil deel del osa tom volum volym bind bd t v no n nr nro num numero number nummer`,
  ),
]);
/** `t.33`, `t33`; `033` */
const LABELLED_NUMBER = /^(\p{L}*?) ?0*([0-9]{1,4})$/u;
/** A volume of a series, which is no word of its books, or a year. */
const SHORT_NUMBER = /^[0-9]{1,4}$/;

/** Returns the query without articles, which people add and confuse, and without the *s* of a possessive. */
export function withoutArticles(query: SearchQuery): readonly SearchQuery[] {
  const terms = query.terms.flatMap((term): readonly SearchTerm[] => {
    if (term.kind === "initials")
      return term.letters.length === 1 && isArticle(term.letters[0]!) ? [] : [term];
    if (term.kind !== "words") return [term];
    const { words } = term;
    // `melville's moby dick`
    const end = words.length > 1 && words.at(-1) === "s" ? -1 : words.length;
    const bare = words.slice(isArticle(words[0]!) ? 1 : 0, end);
    if (bare.length === words.length) return [term];
    return bare.length === 0 ? [] : [{ ...term, words: bare }];
  });
  const isChanged = terms.length !== query.terms.length || terms.some((term) => !query.terms.includes(term));
  return isChanged && terms.length > 0 ? [{ ...query, terms }] : [];
}

/** Returns the query without words for what is sold, and without a letter at the end: `hamlet ebook`, `effi b`. */
export function withoutExtraWords(query: SearchQuery): readonly SearchQuery[] {
  const terms = query.terms.filter((term, index) => {
    const word = typedWordOf(term) ?? "";
    const isLetter = [...word].length === 1 && LETTERS.test(word) && !isUnspaced(word);
    return !(isLetter && index === query.terms.length - 1) && !PRODUCT_WORDS.has(word);
  });
  return terms.length < query.terms.length && terms.length > 0 ? [{ ...query, terms }] : [];
}

/** Returns the query without the words that label numbers, and without zeros: `thorgal tom 33`, `thorgal t033`. */
export function withoutLabels(query: SearchQuery): readonly SearchQuery[] {
  const bare = withBareNumbers(query);
  const terms = bare.terms.filter((_, index) => !isLabel(bare, index));
  const isChanged = bare !== query || terms.length < query.terms.length;
  return isChanged && terms.length > 1 ? [{ ...query, terms }] : [];
}

/**
 * Returns the query without numbers, and without the words that label them: `millennium 1`, `regenta 1885`. In `1984 book`,
 * the number is the title.
 */
export function withoutNumbers(query: SearchQuery): readonly SearchQuery[] {
  const bare = withBareNumbers(query);
  const terms = bare.terms.filter((term, index) => !isNumber(term) && !isLabel(bare, index));
  const isAny = terms.every((term) => PRODUCT_WORDS.has(typedWordOf(term) ?? ""));
  return terms.length < query.terms.length && !isAny ? [{ ...query, terms }] : [];
}

/** Returns the same query when no number has a label in its own term, or zeros. */
function withBareNumbers(query: SearchQuery): SearchQuery {
  const terms = query.terms.map((term): SearchTerm => {
    const text = term.kind === "words" ? term.words.join(" ") : (typedWordOf(term) ?? "");
    const [, label, number] = LABELLED_NUMBER.exec(text) ?? [];
    const isBare = number === undefined || text === number || (label !== "" && !NUMBER_LABELS.has(label!));
    return isBare ? term : { kind: "words", words: [number] };
  });
  return terms.some((term, index) => term !== query.terms[index]) ? { ...query, terms } : query;
}

function isLabel({ terms }: SearchQuery, index: number): boolean {
  const term = terms[index]!;
  // `t. 2`
  const word = term.kind === "initials" && term.letters.length === 1 ? term.letters[0]! : wordOf(term);
  const next = terms[index + 1];
  const isNumeral = isNumber(next) || ROMAN_NUMERALS.has((next && wordOf(next)) ?? "");
  return isNumeral && NUMBER_LABELS.has(word ?? "");
}

function isNumber(term: SearchTerm | undefined): boolean {
  return term !== undefined && SHORT_NUMBER.test(typedWordOf(term) ?? "");
}

function isArticle(word: string): boolean {
  return ARTICLES.has(word);
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
