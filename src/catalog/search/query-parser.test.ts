import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  MAX_QUERY_CHARS,
  MAX_QUERY_PREFIXES,
  MAX_QUERY_WORDS,
  parseQuery,
  QuerySyntaxError,
} from "./query-parser.ts";

/** Writes a query back, in a short form for tests. */
function describeQuery(text: string, isTyping = false): string {
  const { terms, excluded } = parseQuery(text, isTyping);
  const write = (term: (typeof terms)[number]) => {
    if (term.kind === "isbn") return `#${term.isbn}`;
    if (term.kind === "initials") return `${term.letters.join(".")}.`;
    if (term.kind === "field") throw new Error("no query has a term of a field");
    if (term.kind === "words") return term.words.join("+");
    const { prefix, orWord, orIsbn } = term;
    return `${orWord ? "~" : ""}${prefix}*${orIsbn === undefined ? "" : `#${orIsbn}`}`;
  };
  return [...terms.map(write), ...excluded.map((term) => `-${write(term)}`)].join(" ");
}

test.each([
  ["García márquez", "garcia marquez"],
  ['"Cien años" soledad', "cien+anos soledad"],
  ["“Cien años” «de soledad»", "cien+anos de+soledad"],
  ["solit* -war", "solit* -war"],
  ['-"world war" peace', "peace -world+war"],
  ['"cien años de sol"*', "cien+anos+de sol*"],
  ["jean-pau* O'Brien -gar*", "jean pau* o+brien -gar*"],
  ["tom & jerry - the movie", "tom jerry the movie"],
  ['"M*A*S*H"', "m+a+s+h"],
  ["日本", "日+本"],
  ["日本*", "日+本"],
  ["  one\t two\n", "one two"],
  ["a OR (b)", "a or b"],
  ["quijote,cervantes;solit*,-war", "quijote cervantes solit* -war"],
  [",one;, two,", "one two"],
  ["1,99 10;18 mar,2", "1+99 10 18 mar 2"],
  ['"one,two"', "one+two"],
  ["isbn,9788437604947;", "isbn #9788437604947"],
])("parseQuery returns the terms of %p", (text, expected) => {
  expect(describeQuery(text)).toBe(expected);
});

test.each([
  ["F. Vargas", "f. vargas"],
  ["J.R.R. Tolkien", "j.r.r. tolkien"],
  ["J.-P. sartre", "j.p. sartre"],
  ["tolkien -J.R.R.", "tolkien -j+r+r"],
  ["1. FC", "1 fc"],
  ["jrr f", "jrr f"],
])("letters with a full stop are initials: %p", (text, expected) => {
  expect(describeQuery(text)).toBe(expected);
});

test.each([
  ["harry pot", "harry ~pot*"],
  ["ha", "~ha*"],
  ["harry p", "harry p"],
  ["pot -har", "pot -har"],
  ['harry "pot"', "harry pot"],
  ["harry pot*", "harry pot*"],
  ['harry "pot', "harry ~pot*"],
  ['"harry pot', "harry ~pot*"],
  ["«cien años de sol", "cien+anos+de ~sol*"],
  ['"harry p', "harry+p"],
  ['harry "', "harry"],
  ['pot -"har', "pot -har"],
  ['"97884', "~97884*#97884"],
  ["jean-pau ", "jean ~pau*"],
  ["pot J.", "pot j."],
  ["rowling,pot,", "rowling ~pot*"],
  ["日本", "日+本"],
  ["97888584276", "~97888584276*#97888584276"],
  ["978-84-376", "~97884376*#97884376"],
  ["1984", "~1984*#9781984"],
  ["843760494", "~843760494*#978843760494"],
  ["978", "~978*"],
  ["12-34", "12 ~34*"],
  ["9788437604947", "#9788437604947"],
])("the last word of %p counts as a prefix as well", (text, expected) => {
  expect(describeQuery(text, true)).toBe(expected);
});

test("digits with an asterisk are the beginning of an ISBN, too", () => {
  expect(describeQuery("9788437* 8437* 843*")).toBe("9788437*#9788437 8437*#9788437 843*");
});

describe("an ISBN", () => {
  test.each([
    "9788437604947",
    "978-84-376-0494-7",
    "978 84 376 0494 7",
    "978‐84‐376‐0494‐7",
    "84-376-0494-X",
    "843760494X",
    "84 376 0494 x",
    "ISBN 978-84-376-0494-7",
    "ISBN-13: 9788437604947",
    "isbn:843760494X",
    "EAN 9788437604947",
    "ean13=978-84-376-0494-7",
    "  9788437604947  ",
  ])("is found in %p", (text) => {
    expect(describeQuery(text)).toBe("#9788437604947");
  });

  test("is found beside words, and can be excluded", () => {
    expect(describeQuery("soledad 978 84 376 0494 7 -843760494X")).toBe(
      "soledad #9788437604947 -#9788437604947",
    );
  });

  test("may have a wrong check digit when it is one number of thirteen digits", () => {
    expect(describeQuery("9788437604940")).toBe("#9788437604940");
    expect(describeQuery("978 84 376 0494 0")).toBe("978 84 376 0494 0");
  });

  test("is not found in other numbers", () => {
    expect(describeQuery("1984 2001 9788437604947*")).toBe("1984 2001 9788437604947*");
    expect(describeQuery("isbn 4006381333931 97884376049471")).toBe("isbn 4006381333931 97884376049471");
  });
});

test.each([
  ["", "The query has no word to search for", 1],
  [" & ", "The query has no word to search for", 1],
  ['one "two', "A quotation mark is not closed", 5],
  ['ñ𐐨 "', "A quotation mark is not closed", 4],
  ["one *", "An asterisk needs the beginning of a word before it", 5],
  ["on*e", "An asterisk can only stand at the end of a word", 3],
  ["*one", "An asterisk can only stand at the end of a word", 1],
  ["one ab*", "An asterisk needs at least 3 characters before it", 7],
  ["one -jean-pau*", "An exclusion with an asterisk can only have one word", 5],
  ["-one -two", "The query has only exclusions; add a word to search for", 1],
  [
    "a".repeat(MAX_QUERY_CHARS + 1),
    `The query is longer than ${MAX_QUERY_CHARS} characters`,
    MAX_QUERY_CHARS + 1,
  ],
  [
    "abc* ".repeat(MAX_QUERY_PREFIXES + 1),
    `The query has more than ${MAX_QUERY_PREFIXES} words with an asterisk`,
    5 * MAX_QUERY_PREFIXES + 1,
  ],
  [
    "ab ".repeat(MAX_QUERY_WORDS + 1),
    `The query has more than ${MAX_QUERY_WORDS} words`,
    3 * MAX_QUERY_WORDS + 1,
  ],
])("parseQuery refuses %p and names the place", (text, problem, position) => {
  let error: unknown;
  try {
    parseQuery(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(QuerySyntaxError);
  expect(error).toMatchObject({ problem, position });
});

test("parseQuery returns terms with words, or a place within the query, for any text", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("a", "bcd*", "-", '"', " ", "*", "978", "é", "”", "0-"))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const { terms, excluded } = parseQuery(text);
        expect(terms.length).toBeGreaterThan(0);
        for (const term of [...terms, ...excluded]) {
          if (term.kind === "words") expect(term.words.length).toBeGreaterThan(0);
        }
      } catch (error) {
        if (!(error instanceof QuerySyntaxError)) throw error;
        expect(error.position).toBeGreaterThanOrEqual(1);
        expect(error.position).toBeLessThanOrEqual([...text].length + 1);
      }
    }),
  );
});
