import { describe, expect, test } from "bun:test";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS } from "../testing/books.ts";
import { expectGet, sharedApi } from "../testing/shared-api.ts";
import { ignoredParameters } from "./ignored-parameters.ts";
import { Query } from "./query.ts";

const listed = (query: string) =>
  String(ignoredParameters(Query.of(query), { allParameters: { q: {} } })).replace(/^.*?: |\r\n$/g, "");

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
    await expectGet(api, "/api/news?since=1&format=csv", { headers: { "x-ignored-parameters": "since" } });
  });

  test("is 400 for the cursor of /api/changes under the name that lists have, and for no other name", async () => {
    await expectGet(api, "/api/changes?cursor=x", { status: 400, detail: "called since" });
    const named = { "x-ignored-parameters": "constructor, __proto__" };
    await expectGet(api, "/api/changes?constructor=1&__proto__=2", { headers: named });
  });
});
