import { describe, expect, test } from "bun:test";
import {
  apiQuery,
  isBrowsing,
  prefixQuery,
  selectionOf,
  sortOf,
  withFilter,
  withYear,
  yearOf,
} from "./selection.ts";

const select = (query: string) => selectionOf(new URLSearchParams(query));

describe("selectionOf", () => {
  test("returns known parameters that have a value", () => {
    expect(select("q=+faro+&language=spa&form=&sort=title&show=covers&other=1")).toEqual({
      q: "faro",
      language: "spa",
      sort: "title",
      show: "covers",
    });
  });

  test("ignores an unknown order and an unknown layout", () => {
    expect(select("sort=random&show=list")).toEqual({});
  });
});

test("apiQuery returns what both search and facets take", () => {
  expect(apiQuery(select("q=a&lacks=cover&sort=title&show=covers"))).toEqual({ q: "a", lacks: "cover" });
});

test("isBrowsing is true without query and filters, whatever the order", () => {
  expect(isBrowsing(select("sort=oldest&show=covers"))).toBe(true);
  expect(isBrowsing(select("q=a"))).toBe(false);
  expect(isBrowsing(select("lacks=cover"))).toBe(false);
});

test.each([
  ["", "newest"],
  ["sort=relevance", "newest"],
  ["q=a", "relevance"],
  ["q=a&sort=oldest", "oldest"],
])("sortOf returns the order of %p", (query, sort) => {
  expect(sortOf(select(query))).toBe(sort as ReturnType<typeof sortOf>);
});

test("withFilter sets and removes one filter", () => {
  const selection = select("q=a&language=spa");
  expect(withFilter(selection, "form", "BC")).toEqual({ q: "a", language: "spa", form: "BC" });
  expect(withFilter(selection, "language", undefined)).toEqual({ q: "a" });
});

test("withYear sets the days of a year, and yearOf returns it", () => {
  const selection = withYear(select("q=a"), "2024");
  expect(selection).toEqual({ q: "a", from: "20240101", to: "20241231" });
  expect(yearOf(selection)).toBe("2024");
  expect(withYear(selection, undefined)).toEqual({ q: "a" });
  expect(yearOf(select("from=20240101&to=20240630"))).toBeUndefined();
});

test.each([
  ["shakesp", "shakesp*"],
  ["william shakesp", "william shakesp*"],
  ["ñandú", "ñandú*"],
  ["sh", undefined],
  ["shakesp*", undefined],
  ["978-84", undefined],
  ['"treasure isl', undefined],
  ["-island", undefined],
])("prefixQuery of %p is %p", (query, prefix) => {
  expect(prefixQuery(query)).toBe(prefix as string);
});
