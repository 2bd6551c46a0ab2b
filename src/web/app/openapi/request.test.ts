import { expect, test } from "bun:test";
import type { Endpoint } from "./document.ts";
import { curlCommand, missingParameters, requestOf } from "./request.ts";

const parameter = { description: "", schema: { type: "string" } } as const;
const endpoint: Endpoint = {
  path: "/api/isbns/{isbns}",
  operation: {
    operationId: "getBooks",
    tags: ["Books"],
    summary: "",
    description: "",
    parameters: [
      { ...parameter, name: "isbns", in: "path", required: true },
      { ...parameter, name: "view", in: "query", required: false },
    ],
    responses: {},
  },
};
const base = new URL("https://host/books/v1/");

test("requestOf puts values into path and query below the root of the service", () => {
  const { url, headers } = requestOf(endpoint, { isbns: "1,2 /é", view: "a&b" }, "t.o.k", base);
  expect(url).toBe("https://host/books/v1/api/isbns/1,2%20%2F%C3%A9?view=a%26b");
  expect(headers).toEqual({ Accept: "application/json", Authorization: "Bearer t.o.k" });
});

test("requestOf sends neither an empty parameter nor a token that is missing", () => {
  const { url, headers } = requestOf(endpoint, { isbns: "1", view: "" }, "", base);
  expect(url).toBe("https://host/books/v1/api/isbns/1");
  expect(headers).toEqual({ Accept: "application/json" });
});

test("missingParameters returns required parameters without a value", () => {
  expect(missingParameters(endpoint, { view: "x" })).toEqual(["isbns"]);
  expect(missingParameters(endpoint, { isbns: "1" })).toEqual([]);
});

test("curlCommand quotes for a shell", () => {
  const command = curlCommand({ url: "https://host/it's", headers: { Accept: "a/b" } });
  const output = Bun.spawnSync(["sh", "-c", command.replace("curl", "printf '%s\\n'")]).stdout.toString();
  expect(output.trim().split("\n")).toEqual(["--compressed", "-H", "Accept: a/b", "https://host/it's"]);
});
