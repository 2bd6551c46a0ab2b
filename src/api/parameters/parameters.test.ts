/** Any path or query gives values, or an error that says what to change, and never an exception. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Format } from "../../catalog/formats/format.ts";
import { utcDay } from "../../onix/date.ts";
import { SQLITE } from "../../stores/testing/engines.ts";
import { ApiError } from "../errors.ts";
import { chooseFormat } from "../formats/format-choice.ts";
import { acceptedTypes } from "../response/negotiation.ts";
import { ROUTES } from "../routes.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS } from "../testing/books.ts";
import { expectGet, sharedApi } from "../testing/shared-api.ts";
import { ignoredParameters } from "./ignored-parameters.ts";
import { Query } from "./query.ts";

/** Reads the parameters of an endpoint, as a request has them. */
function valuesOf(id: string, segment: string, query: string) {
  return ROUTES.find((route) => route.id === id)!.reader.read(segment, Query.of(query));
}

/** Returns one value, or the error. */
function parsedValue(id: string, name: string, segment: string, query = ""): unknown {
  const values = valuesOf(id, segment, query);
  return values instanceof ApiError ? values : values[name];
}

const isbnsOf = (segment: string) => parsedValue("getBooks", "isbns", segment);
const dateOf = (query: string) => parsedValue("getNews", "date", "", query);
const languageOf = (query: string) => parsedValue("getBooksOfImprint", "language", "x", query);
const formatOf = (query: string) =>
  chooseFormat(["json", "csv"] satisfies Format[], acceptedTypes(null), Query.of(query));

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "binary" }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc
    .array(
      fc.constantFrom(
        ...["%", "%2", "%zz", "%ff", "%c0%ae", "&", "=", "+", ","],
        ...["date", "language", "20240101", "eng", "view", "summary"],
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join("")),
);

test("any text gives a value, or a 400 with a short sentence", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(...ROUTES), (segment, query, { id, parameters }) => {
      const value = valuesOf(id, segment, query);
      if (!(value instanceof ApiError)) return expect(Object.keys(value)).toEqual(Object.keys(parameters));
      expect(value.status).toBe(400);
      expect(value.detail).toEndWith(".");
      expect(value.detail.length).toBeLessThan(300);
    }),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const choice = formatOf(text);
      expect([undefined, 400, 406]).toContain(choice instanceof ApiError ? choice.status : undefined);
    }),
  );
});

for (const { id, allParameters, reader } of ROUTES) {
  const names = Object.keys(allParameters).filter((name) => allParameters[name]!.in === "query");
  if (names.length === 0) continue;
  test(`${id} has one error for a parameter that is given too often, and one for broken percent-encoding`, () => {
    for (const name of names) {
      const read = (query: string) =>
        name === "format" ? formatOf(query) : reader.read("9789999900003", Query.of(query));
      if (name === "shorttags") continue;
      const kind = name === "date" ? "invalidDate" : "badRequest";
      const { maxValues } = allParameters[name]!;
      const times = maxValues === undefined ? "once" : `at most ${maxValues} times`;
      const tooMany = `${name}=a&`.repeat((maxValues ?? 1) + 1);
      expect(read(tooMany)).toEqual(new ApiError(kind, `Give the parameter ${name} ${times}.`));
      for (const text of ["%", "%zz", "%ff"]) {
        const detail = `The percent-encoding of the parameter ${name} is broken; encode its UTF-8 as %XX.`;
        expect(read(`x=1&${name}=${text}`)).toEqual(new ApiError(kind, detail));
      }
    }
  });

  test(`${id} names the allowed values in each error of a parameter that has a list of them`, () => {
    for (const [name, { in: place, kind }] of Object.entries(allParameters)) {
      const values = kind.schema.enum as readonly string[] | undefined;
      if (place === "path" || values === undefined) continue;
      expect([name, (kind.parse("%", name) as ApiError).extraMembers.allowed]).toEqual([name, values]);
    }
  });
}

test("unknown parameters are ignored, also with broken names", () => {
  expect(valuesOf("getBook", "9788437604947", "utm=1&utm=2&%ff=3&=&&x=%")).toEqual(
    valuesOf("getBook", "9788437604947", ""),
  );
});

/** Percent-encodes the characters that `encoded` selects. */
function encodeSome(text: string, encoded: readonly boolean[]): string {
  return [...text]
    .map((character, index) =>
      encoded[index % encoded.length]
        ? `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`
        : character,
    )
    .join("");
}

const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
const isbn = fc.stringMatching(/^97[89][0-9]{10}$/);

test("a list of ISBNs has them in their order, with repetitions, however they are encoded", () => {
  fc.assert(
    fc.property(fc.array(isbn, { minLength: 1, maxLength: 30 }), flags, (list, encoded) => {
      expect<unknown>(isbnsOf(encodeSome(list.join(","), encoded))).toEqual(list);
    }),
  );
});

test("a list of ISBNs with an invalid item is an error that names its position", () => {
  fc.assert(
    fc.property(
      fc.array(isbn, { maxLength: 20 }),
      fc.array(isbn, { maxLength: 5 }),
      fc.constantFrom("", "x", "12"),
      (before, after, invalid) => {
        fc.pre(before.length + after.length > 0 || invalid !== "");
        const error = isbnsOf([...before, invalid, ...after].join(","));
        expect(error).toBeInstanceOf(ApiError);
        expect((error as ApiError).detail).toStartWith(`Item ${before.length + 1} of the list`);
      },
    ),
  );
});

test("a date is found among other parameters, and decoded once", () => {
  const other = fc.constantFrom("a=1", "date2=x", "Date=20200101", "da=te", "", "language=eng", "%64=1");
  const day = fc
    .date({ min: new Date("1000-01-01"), max: new Date("9000-01-01"), noInvalidDate: true })
    .map((date) => utcDay(date));
  fc.assert(
    fc.property(
      day,
      fc.array(other, { maxLength: 3 }),
      fc.array(other, { maxLength: 3 }),
      flags,
      (date, before, after, encoded) => {
        const parameter = `${encodeSome("date", encoded)}=${encodeSome(date, encoded)}`;
        expect(dateOf([...before, parameter, ...after].join("&"))).toBe(date);
        expect(dateOf([...before, ...after].join("&"))).toBeUndefined();
        expect(dateOf([parameter, ...before, parameter].join("&"))).toBeInstanceOf(ApiError);
        // Decoded twice, this would be a date.
        expect(dateOf(`date=${encodeURIComponent(encodeSome(date, [true]))}`)).toBeInstanceOf(ApiError);
      },
    ),
  );
});

test("a language is three ASCII letters in any case, and nothing else", () => {
  fc.assert(
    fc.property(fc.constantFrom("spa", "eng", "cat", "glg"), flags, (code, upper) => {
      const mixed = [...code]
        .map((letter, index) => (upper[index % upper.length] ? letter.toUpperCase() : letter))
        .join("");
      expect(languageOf(`language=${mixed}`)).toBe(code);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(text.isWellFormed() && !/^[A-Za-z]{3}$/.test(text));
      expect(languageOf(`language=${encodeURIComponent(text)}`)).toBeInstanceOf(ApiError);
    }),
  );
});

const listed = (query: string) =>
  String(ignoredParameters(Query.of(query), { allParameters: { q: { in: "query" } } })).replace(
    /^.*?: |\r\n$/g,
    "",
  );

test("unknown names are listed once and percent-encoded, up to 10 names and 200 bytes", () => {
  expect(listed("")).toBe("");
  expect(listed("q=1&=x&&")).toBe("");
  expect(listed("page=2&lang=es&page=3&q=1&toString=1")).toBe("page, lang, toString");
  expect(listed("a%2Cb=1&a%C3%B1o&%zz=2&x%0D%0Ay=1")).toBe("a%2Cb, a%C3%B1o, %25zz, x%0D%0Ay");
  const many = Array.from({ length: 11 }, (_, index) => `p${index}`);
  expect(listed(many.slice(0, 10).join("&"))).toBe(many.slice(0, 10).join(", "));
  expect(listed(many.join("&"))).toBe([...many.slice(0, 10), "..."].join(", "));
  for (const query of [
    `${"ñ".repeat(20)}&b`,
    "x".repeat(300),
    many.map((name) => name.repeat(8)).join("&"),
  ]) {
    expect(listed(encodeURI(query)).length).toBeLessThanOrEqual(200);
    expect(listed(encodeURI(query))).toMatch(/\.\.\.$|, b$/);
  }
});

test("a long text has its pluses as spaces, as a short one has", () => {
  const text = "a+%2B+ñ€+%C3%B1".repeat(200);
  expect(Query.of(`q=${text}`).values("q")).toEqual(["a + ñ€ ñ".repeat(200)]);
});

describe("a response", () => {
  const api = sharedApi(() => createTestApi(SQLITE));

  test("is 400 for more than 1,000 parameters", async () => {
    await expectGet(api, `/api/skus?${"a&".repeat(999)}limit=1`, { status: 200 });
    await expectGet(api, `/api/skus?${"a&".repeat(1000)}limit=1`, { status: 400 });
  });

  test("names the parameters that were ignored, from the cache and with 304 too", async () => {
    const named = { "x-ignored-parameters": "page, vi%C3%A9w" };
    const query = "?page=2&vi%C3%A9w=1";
    for (const path of ["/api/skus", `/api/isbn/${BOOKS[0]!.isbn}`, "/api/translations", "/api/facets"]) {
      let etag = "";
      for (let times = 0; times < 4; times++) {
        const { headers } = await expectGet(api, path + query, { headers: named });
        etag = headers.get("etag")!;
        await expectGet(api, path, { headers: { "x-ignored-parameters": null } });
      }
      await expectGet(
        api,
        path + query,
        { status: 304, headers: named },
        { headers: { "If-None-Match": etag } },
      );
      await expectGet(api, path + query, { headers: named }, { method: "HEAD" });
    }
    await expectGet(api, `/api/skus${query}&limit=0`, { status: 400, headers: named });
    // A parameter of the path is unknown in the query.
    const ofPath = { headers: { "x-ignored-parameters": "isbn" } };
    await expectGet(api, `/api/isbn/${BOOKS[0]!.isbn}?isbn=${BOOKS[1]!.isbn}`, ofPath);
    await expectGet(api, "/api/news?since=1&format=csv", { headers: { "x-ignored-parameters": "since" } });
  });

  test("is 400 for the cursor of /api/changes under the name that lists have, and for no other name", async () => {
    await expectGet(api, "/api/changes?cursor=x", { status: 400, detail: "called since" });
    const named = { "x-ignored-parameters": "constructor, __proto__" };
    await expectGet(api, "/api/changes?constructor=1&__proto__=2", { headers: named });
  });
});
