/** Any query string gives a search, or a 400 that says what to change and where. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../errors.ts";
import { ParameterReader } from "../parameters/parameter.ts";
import { Query } from "../parameters/query.ts";
import {
  DEFAULT_SEARCH_LIMIT,
  FACET_PARAMETERS,
  type ParsedSearch,
  SEARCH_PARAMETERS,
  searchOf,
  selectionOf,
} from "./search-parameters.ts";

function parseSearch(query: string) {
  const values = new ParameterReader(SEARCH_PARAMETERS).read("", Query.of(query));
  return values instanceof ApiError ? values : searchOf(values);
}

function parseSelection(query: string) {
  const values = new ParameterReader(FACET_PARAMETERS).read("", Query.of(query));
  return values instanceof ApiError ? values : selectionOf(values);
}

function validSearch(query: string): ParsedSearch {
  const parsed = parseSearch(query);
  if (parsed instanceof ApiError) throw new Error(`${query}: ${parsed.detail}`);
  return parsed;
}

/** Returns the body of the 400. */
function errorOf(query: string): Record<string, unknown> & { detail: string } {
  const parsed = parseSearch(query);
  if (!(parsed instanceof ApiError)) throw new Error(`${query} is valid`);
  expect([query, parsed.status, parsed.toJSON().message]).toEqual([query, 400, "Bad Request"]);
  return parsed.toJSON() as ReturnType<typeof errorOf>;
}

describe("the parameters of a search", () => {
  test("returns the defaults for no parameter: all books, newest first, as summaries", () => {
    expect(validSearch("")).toEqual({
      query: undefined,
      filters: {},
      queryString: "",
      isTyping: false,
      spelling: undefined,
      sort: "newest",
      view: "summary",
      group: undefined,
      limit: DEFAULT_SEARCH_LIMIT,
      cursor: undefined,
    });
    expect(validSearch("utm_source=x&&=&Q=y")).toEqual(validSearch(""));
  });

  test("returns relevance as the order of a query, and newest without one", () => {
    expect(validSearch("q=mar").sort).toBe("relevance");
    expect(validSearch("sort=relevance").sort).toBe("newest");
    for (const sort of ["newest", "oldest", "title"])
      expect<string>(validSearch(`q=mar&sort=${sort}`).sort).toBe(sort);
  });

  test("returns codes, slugs and days in one spelling", () => {
    const { filters, queryString } = validSearch(
      "imprint=Pen%C3%ADnsula+Imaginaria&language=SPA&form=bc&availability=20&status=04&from=2026-07-01&to=20260731" +
        "&subject=+93:FBA+&contributor=Garc%C3%ADa+&language=cat&language=spa&price=eur-1.5&price=EUR15&series=+Mar",
    );
    expect<object>(filters).toEqual({
      imprint: ["peninsula-imaginaria"],
      language: ["cat", "spa"],
      form: ["BC"],
      subject: ["93:FBA"],
      contributor: ["García"],
      series: ["Mar"],
      availability: ["20"],
      status: ["04"],
      price: ["EUR 1.5", "EUR 15"],
      from: "20260701",
      to: "20260731",
    });
    expect(validSearch(queryString).filters).toEqual(filters);
    expect(queryString).toContain("language=cat&language=spa");
  });

  test("returns a query string that gives the same search again, whatever the query has", () => {
    const q = 'Ñandú "la casa & el mar" -sea+ 中文 nov* 100% 978-99999-23-01-9';
    const search = validSearch(`q=${encodeURIComponent(q)}&imprint=x`);
    expect(search.queryString).toMatch(/^[\w=&%.~!'()*-]+$/);
    expect(validSearch(search.queryString)).toEqual(search);
  });

  test.each([
    ["q=%22treasure+island", 1, "open-quotation"],
    ["q=a+%22b", 3, "open-quotation"],
    ["q=%C3%B1+%F0%9F%98%80+%22b", 5, "open-quotation"],
    ["q=ab*c", 3, "inner-asterisk"],
    ["q=ab*", 3, "short-prefix"],
    ["q=*", 1, "lone-asterisk"],
    ["q=-sea", 1, "only-exclusions"],
    ["q=", 1, "no-words"],
    ["q=+%26+", 1, "no-words"],
    [`q=${"a".repeat(501)}`, 501, "too-long"],
  ])("returns 400 with the place and a code for %s", (query, position, code) => {
    const error = errorOf(query);
    expect([error.position, error.code]).toEqual([position, code]);
    expect(error.detail).toEndWith(`, at character ${position} of q.`);
  });

  test("lets the last quotation mark be missing while a query is being typed, and nothing else", () => {
    const [open, closed] = ["q=%22treasure+isl&prefix=last", "q=treasure+isl&prefix=last"].map(validSearch);
    expect(open!.query).toEqual(closed!.query);
    expect(validSearch(open!.queryString)).toEqual(open!);
    expect(errorOf("q=ab*+%22c&prefix=last").code).toBe("short-prefix");
    expect(errorOf("q=%22&prefix=last").code).toBe("open-quotation");
  });

  test.each([
    ["language=es", "list 74", "spa"],
    ["language=zzz", "list 74", "spa"],
    ["language=%E2%84%AAor", "list 74", "kor"],
    ["form=B", "list 150", "BC"],
    ["availability=00", "list 65", "20"],
    ["audience=99", "list 28", "01"],
    ["language=spa&language=xx", "list 74", "spa"],
    ["status=99", "list 64", "04"],
    ["status=", "list 64", "04"],
    ["form=constructor", "list 150", "BC"],
  ])("returns 400 with the allowed codes for %s", (query, list, code) => {
    const error = errorOf(query);
    expect(error.detail).toContain(`ONIX ${list},`);
    expect(error.allowed).toContain(code);
  });

  const WRONG = {
    from: ["2026", "20230229", "20260102&to=20260101"],
    to: ["2026-7-1", "2026-0701", ""],
    imprint: ["", "%E2%80%93", "%"],
    subject: ["", "+", "9".repeat(2600)],
    contributor: ["", "%22", `${"%C3%A9".repeat(500)}&q=a`],
    price: ["", "EUR", "15", "EUR 14", "EURO 15", "EUR 15-20"],
    language: [Array(21).fill("spa").join("&language=")],
    lacks: ["cover&lacks=price"],
    sort: ["", "Title", "price"],
    view: ["full", ""],
    limit: ["0", "1001", "", "1&limit=1"],
    cursor: ["a&cursor=a"],
    q: ["%ff", "a&q=a", "b&%71=a"],
  };

  test.each(Object.entries(WRONG))("returns 400 with what to change for each wrong %s", (name, values) => {
    for (const value of values) expect(errorOf(`${name}=${value}`).detail).toMatch(/^.{20,300}\.$/s);
  });

  test("returns a value, or a short 400, for any text", () => {
    const piece = fc.constantFrom(
      ...Object.keys(SEARCH_PARAMETERS).map((name) => `${name}=`),
      ...["&", "&", "=", "+", "%", "%22", "%2a", "-", "*"],
      ...["spa", "BC", "20", "04", "20260101", "title", "5", "%ff", "%C3%B1", "%F0%9F%98%80", "a b"],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }).map((any) => any.toWellFormed()),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(parseSearch, parseSelection), (query, parse) => {
        const parsed = parse(query);
        if (!(parsed instanceof ApiError)) {
          expect(parse(parsed.queryString)).toMatchObject({ query: parsed.query, filters: parsed.filters });
          return;
        }
        expect([parsed.kind, parsed.detail.endsWith("."), parsed.detail.length < 300]).toEqual([
          "badRequest",
          true,
          true,
        ]);
      }),
      { numRuns: 500 },
    );
  });
});

test("facets ignore the parameters of pages, so that one query string fits both endpoints", () => {
  expect(parseSelection("q=mar&sort=price&view=x&limit=0&cursor=x&cursor=y")).toEqual(
    parseSelection("q=mar"),
  );
});
