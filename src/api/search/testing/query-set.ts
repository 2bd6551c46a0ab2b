/** Queries as people type them, made by rule from the titles, names and ISBNs of books. */
import { fold } from "../../../catalog/search/fold.ts";
import type { Summary } from "../../../onix/summary/summary.ts";

export interface TypedQuery {
  /** The rule that it is made by. */
  readonly kind: string;
  readonly q: string;
  /** The book that must be among the first ten. */
  readonly isbn: string;
  /** True when the query is sent with `prefix=last`. */
  readonly isTyping?: boolean;
}

type Book = Pick<Summary, "isbn" | "title" | "contributors">;

const LETTERS = /^\p{L}+$/u;
const MIN_TYPO_CHARS = 5;
const MAX_TITLE_WORDS = 5;

/** One edit in the middle of a word, or in its first letter. */
const TYPOS: Readonly<Record<string, (word: string) => string>> = {
  "letters exchanged": (word) => word.slice(0, 2) + word[3] + word[2] + word.slice(4),
  "letter missing": (word) => word.slice(0, 3) + word.slice(4),
  "letter doubled": (word) => word.slice(0, 3) + word[2] + word.slice(3),
  "wrong letter": (word) => `${word.slice(0, 3)}q${word.slice(4)}`,
  "wrong first letter": (word) => `q${word.slice(1)}`,
  "space too many": (word) => `${word.slice(0, 3)} ${word.slice(3)}`,
};

export function queriesOf(book: Book): readonly TypedQuery[] {
  const { isbn, title } = book;
  const words = (title ?? "").split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const first = words.slice(0, MAX_TITLE_WORDS);
  const text = first.join(" ");
  if (text === "") return isbnQueries(isbn);
  const last = first.at(-1)!;
  const half = first.with(-1, last.slice(0, Math.max(2, Math.ceil(last.length / 2)))).join(" ");
  const wrongHalf = TYPOS["letters exchanged"]!(last.slice(0, 6));
  return [
    ...typosOf(first).map(({ kind, q }) => ({ kind, q, isbn })),
    ...(fold(text) === text.toLowerCase() ? [] : [{ kind: "no accents", q: fold(text), isbn }]),
    ...(first.length > 1 ? [{ kind: "words exchanged", q: first.toReversed().join(" "), isbn }] : []),
    ...(first.length > 1
      ? [
          {
            kind: "no space",
            q: first
              .with(0, first[0]! + first[1]!)
              .toSpliced(1, 1)
              .join(" "),
            isbn,
          },
          { kind: "article", q: `the ${text}`, isbn },
        ]
      : []),
    ...(last.length > 3 ? [{ kind: "half a word", q: half, isbn, isTyping: true }] : []),
    ...(LETTERS.test(last) && last.length > 6
      ? [{ kind: "half a wrong word", q: first.with(-1, wrongHalf).join(" "), isbn, isTyping: true }]
      : []),
    ...initialsOf(book, longestOf(first)),
    ...isbnQueries(isbn),
  ];
}

/** Each typo in the longest word, beside the words around it. */
function typosOf(words: readonly string[]): readonly Pick<TypedQuery, "kind" | "q">[] {
  const longest = longestOf(words);
  if (longest.length < MIN_TYPO_CHARS || !LETTERS.test(longest)) return [];
  return Object.entries(TYPOS).flatMap(([kind, typo]) => {
    const wrong = typo(longest);
    const q = words.map((word) => (word === longest ? wrong : word)).join(" ");
    return wrong === longest ? [] : [{ kind, q }];
  });
}

function longestOf(words: readonly string[]): string {
  return words.reduce((best, word) => (word.length > best.length ? word : best), "");
}

/** Initial and surname, and a word of the title: a name can have many books. */
function initialsOf({ isbn, contributors }: Book, titleWord: string): readonly TypedQuery[] {
  const [given, ...others] = (contributors[0]?.name ?? "").split(" ");
  const surname = others.at(-1);
  if (!given || !surname || !LETTERS.test(given) || !LETTERS.test(surname)) return [];
  return [`${given[0]}. ${surname}`, `${given[0]!.toLowerCase()} ${surname}`].map((name) => ({
    kind: "initials",
    q: `${name} ${titleWord}`,
    isbn,
  }));
}

function isbnQueries(isbn: string): readonly TypedQuery[] {
  const parts = [isbn.slice(0, 11), `${isbn.slice(0, 3)}-${isbn.slice(3, 12)}`];
  if (isbn.startsWith("978")) parts.push(isbn.slice(3, 12));
  const typed = parts.map((q) => ({ kind: "ISBN", q, isbn, isTyping: true }));
  return [...typed, { kind: "ISBN", q: isbn.slice(0, 12), isbn }];
}
