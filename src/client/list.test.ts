import { expect, test } from "bun:test";
import { Colophon } from "./colophon.ts";

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
