import { describe, expect, test } from "bun:test";
import { Router, splitTarget } from "./router.ts";

describe("splitTarget", () => {
  test.each([
    ["/", "/", ""],
    ["/api/skus", "/api/skus", ""],
    ["/api/news?date=1", "/api/news", "date=1"],
    ["/a?b?c", "/a", "b?c"],
    ["/a#b?c", "/a", ""],
    ["/a?b#c?d", "/a", "b"],
    ["/?", "/", ""],
    ["//a/b", "//a/b", ""],
  ])("splits %s into path and query", (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});

describe("Router", () => {
  const router = new Router<string>();
  for (const template of ["/api/isbn/{isbn}", "/api/isbns/{isbns}", "/api/skus"])
    router.add(template, template);

  test.each([
    ["/api/isbn/1", "/api/isbn/{isbn}", "1"],
    ["/api/isbns/1,%2F", "/api/isbns/{isbns}", "1,%2F"],
    ["/api/skus", "/api/skus", ""],
  ])("matches %s", (path, route, parameter) => {
    expect(router.match(path)).toEqual({ route, parameter });
  });

  test.each(["", "/", "/api", "/api/isbn", "/api/isbn/", "/api/isbn/1/", "/api/isbn/1/2", "/api/skus/", "x"])(
    "does not match %p",
    (path) => {
      expect(router.match(path)).toBeUndefined();
    },
  );

  test("rejects a template whose parameter is not a whole last segment", () => {
    expect(() => router.add("/api/{isbn}/x", "")).toThrow();
    expect(() => router.add("/api/x{isbn}", "")).toThrow();
  });
});
