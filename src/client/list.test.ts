import { expect, test } from "bun:test";
import { Colophon, type SearchOptions } from "./colophon.ts";

function catalogWith(headers: Record<string, string>): Colophon {
  const fetch = async () =>
    new Response("[]", { headers: { "content-type": "application/json", ...headers } });
  return new Colophon({ url: "http://catalog.example/", token: "t", fetch });
}

test("a page of a search says with which query it was found", async () => {
  const corrected = catalogWith({ "x-search-corrected": "garcia%20%D0%B8" }).search({ q: "gracia" });
  expect((await corrected.first()).corrected).toBe("garcia \u0438");
  expect((await catalogWith({}).search({ q: "garcia" }).first()).corrected).toBeUndefined();
});

test("an option that is undefined is left out, and a page then has the default length", async () => {
  const urls: string[] = [];
  const fetch = async (url: string) => {
    urls.push(url);
    return new Response("[]");
  };
  const catalog = new Colophon({ url: "http://catalog.example/", token: "t", fetch });
  const wish: SearchOptions = { q: undefined, language: undefined, fields: undefined, limit: undefined };
  await catalog.search(wish).first();
  expect(urls).toEqual(["http://catalog.example/api/search?limit=100"]);
});

test("a list begins at the cursor of an earlier page", async () => {
  const urls: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    const url = String(input instanceof Request ? input.url : input);
    urls.push(url);
    const isLast = new URL(url).searchParams.get("cursor") === "A.b_c";
    const link = isLast ? '<?limit=2>; rel="first"' : '<?q=a&limit=2&cursor=A.b_c>; rel="next"';
    return new Response("[]", { headers: { "content-type": "application/json", link } });
  };
  const catalog = new Colophon({ url: "http://catalog.example/", token: "t", fetch });
  const lists = [
    (cursor?: string) => catalog.search({ q: "a", limit: 2, cursor }),
    (cursor?: string) => catalog.imprint("ancla", { limit: 2, cursor }),
    (cursor?: string) => catalog.news({ limit: 2, cursor }),
  ];
  for (const list of lists) {
    const { cursor } = await list().first();
    expect(cursor).toBe("A.b_c");
    expect((await list(cursor).first()).cursor).toBeUndefined();
    expect(urls.at(-1)).toContain("cursor=A.b_c");
  }
});
