import { describe, expect, test } from "bun:test";
import { apiQuery, choicesOf, isBrowsing, selectionOf, sortOf, toggled, valuesOf } from "./selection.ts";

const select = (query: string) => selectionOf(new URLSearchParams(query));

describe("selectionOf", () => {
  test("returns known parameters that have a value", () => {
    expect(select("q=+faro+&language=spa&form=&sort=title&show=covers&other=1")).toEqual({
      q: "faro",
      language: ["spa"],
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

test("toggled adds and removes a value of a filter", () => {
  const selection = select("q=a&language=spa");
  const both = { q: "a", language: ["spa", "cat"] };
  expect(toggled(selection, "language", "cat")).toEqual(both);
  expect(toggled(both, "language", "spa")).toEqual({ q: "a", language: ["cat"] });
  expect(toggled(selection, "language", "spa")).toEqual({ q: "a" });
  expect(toggled(selection, "lacks", "cover")).toEqual({ q: "a", language: ["spa"], lacks: "cover" });
});

test("selectionOf returns all values of a filter, each once, and one day", () => {
  expect(select("form=BB&form=BC&form=BB&from=20200101&from=20210101")).toEqual({
    form: ["BB", "BC"],
    from: "20200101",
  });
});

test("a year is two days, and replaces another one", () => {
  const selection = toggled(select("q=a&from=20200101"), "year", "2024");
  expect(selection).toEqual({ q: "a", from: "20240101", to: "20241231" });
  expect(valuesOf(selection, "year")).toEqual(["2024"]);
  expect(choicesOf(selection)).toContain("year");
  expect(choicesOf(selection)).not.toContain("from");
  expect(toggled(selection, "year", "2023")).toEqual({ q: "a", from: "20230101", to: "20231231" });
  expect(toggled(selection, "year", "2024")).toEqual({ q: "a" });
  const days = select("from=20240101&to=20240630");
  expect(valuesOf(days, "year")).toEqual([]);
  expect(choicesOf(days)).toContain("from");
});
