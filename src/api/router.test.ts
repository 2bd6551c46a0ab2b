import { describe, expect, test } from "bun:test";
import { Router, splitTarget } from "./router.ts";

describe("splitTarget", () => {
  test.each([
    ["/", "/", ""],
    ["/api/skus", "/api/skus", ""],
    ["/api/news?date=1", "/api/news", "date=1"],
    ["/a?b?c", "/a", "b?c"],
    ["/a/../b?c", "/a/../b", "c"],
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
    ["/api/isbn/10%2F18", "/api/isbn/{isbn}", "10%2F18"],
    ["/api/isbn/a|b[c]", "/api/isbn/{isbn}", "a|b[c]"],
    ["/api/isbn/...", "/api/isbn/{isbn}", "..."],
    ["/api/isbn/a..%2Fb", "/api/isbn/{isbn}", "a..%2Fb"],
    ["/api/isbn/St.%20Martin%27s", "/api/isbn/{isbn}", "St.%20Martin%27s"],
    ["/api/isbn/%252e%252e", "/api/isbn/{isbn}", "%252e%252e"],
  ])("matches %s", (path, route, parameter) => {
    expect(router.match(path)).toEqual({ route, parameter });
  });

  test.each(["", "/", "/api", "/api/isbn", "/api/isbn/", "/api/isbn/1/", "/api/isbn/1/2", "/api/skus/", "x"])(
    "does not match %p",
    (path) => {
      expect(router.match(path)).toBeUndefined();
    },
  );

  test.each([
    "/api/skus/.",
    "/api/./skus",
    "/api/isbn/../skus",
    "/api/isbn/..",
    "/api/isbn/.",
    "/api/isbn/%2e",
    "/api/isbn/.%2E",
    "/api/isbn/..%2fskus",
    "/api/isbn/1%2F..%2f..%2F..%2fopenapi.html",
    "/api/isbn/1%2f.",
    "/api/isbn/..%5C..%5cx",
    "/api/isbn/{isbn}",
    '/api/isbn/"1"',
    "/api/isbn/<1>",
    "/api/isbn/1^`",
    "/%61pi/skus",
    "/api/%73kus",
    "/api%2Fskus",
    "/api%2Fisbn/1",
    "/API/skus",
    "//api/skus",
    "/api//skus",
    "/api/skus;a=b",
    "/api;a/skus",
  ])("does not match %p, which another program may read as another path", (path) => {
    expect(router.match(path)).toBeUndefined();
  });

  test("rejects a template whose parameter is not a whole last segment", () => {
    expect(() => router.add("/api/{isbn}/x", "")).toThrow();
    expect(() => router.add("/api/x{isbn}", "")).toThrow();
  });
});
