/** Values of parameters, segments of paths and methods that are not allowed, on every endpoint that has them. */
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../stores/testing/engines.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS } from "./testing/books.ts";
import { testPaths } from "./testing/example-paths.ts";
import { expectGet, sharedApi } from "./testing/shared-api.ts";

const [FIRST, SECOND] = [BOOKS[0]!.isbn, BOOKS[1]!.isbn];
const ONE = `/api/isbn/${FIRST}`;
const IMPRINT = "/api/imprint/peninsula-imaginaria";
const RECORDS = [ONE, `/api/isbns/${SECOND},${FIRST}`, IMPRINT, `${IMPRINT}?language=spa`, "/api/news"];

interface Row {
  readonly paths: readonly string[];
  readonly name: string;
  /** A value that is allowed once. */
  readonly valid: string;
  readonly wrong: readonly string[];
  readonly message?: string;
  /** A part of the detail for each wrong value. */
  readonly detail?: string;
}

const ISO_AND_PARTS = ["2026-07-15", "2026071", "202607150", "20260715+", "+20260715"];
const LIMITS = ["0", "1001", "-1", "1.0", "01", "1e3", "x", "%31%30%30%31", "+5", "99999999999999999999"];

const ROWS: readonly Row[] = [
  {
    paths: [IMPRINT],
    name: "language",
    valid: "spa",
    wrong: ["es", "spaa", "zzz", "%20spa", "s%C3%B1a", "%E2%84%AAor", "%FF%FF%FF"],
  },
  {
    paths: ["/api/news"],
    name: "date",
    valid: "20260715",
    wrong: [
      ...ISO_AND_PARTS,
      "20230229",
      "20261301",
      "00000101",
      "%D9%A2%D9%A0%D9%A2%D9%A6%D9%A0%D9%A7%D9%A1%D9%A5",
    ],
    message: "Invalid date format",
  },
  {
    paths: ["/api/skus", "/api/news", "/api/imprint/10-18"],
    name: "limit",
    valid: "1",
    wrong: ["", ...LIMITS],
    detail: "1 to 1000",
  },
  { paths: ["/api/skus?limit=1", "/api/imports?limit=1"], name: "cursor", valid: "a", wrong: ["x"] },
  { paths: ["/api/skus", "/api/imports"], name: "cursor", valid: "a", wrong: ["x", "a"] },
  {
    paths: [`/api/isbns/${FIRST}`],
    name: "missing",
    valid: "skip",
    wrong: ["", "fail", "SKIP", "%ff"],
    detail: "parameter missing",
  },
  {
    paths: [...RECORDS, "/api/news?date=20260601"],
    name: "view",
    valid: "summary",
    wrong: ["full", "Summary", "summary%00"],
  },
  { paths: [ONE, IMPRINT], name: "format", valid: "csv", wrong: ["pdf", "CSV"] },
  {
    paths: [ONE, IMPRINT].map((path) => `${path}?format=xml`),
    name: "shorttags",
    valid: "true",
    wrong: ["1"],
  },
  {
    paths: [ONE, IMPRINT].map((path) => `${path}?format=csv`),
    name: "view",
    valid: "summary",
    wrong: ["record", "full"],
  },
  {
    paths: [ONE, IMPRINT].map((path) => `${path}?format=xml`),
    name: "view",
    valid: "record",
    wrong: ["summary"],
  },
  { paths: ["/api/changes"], name: "since", valid: "a", wrong: ["x"] },
  { paths: ["/api/changes"], name: "limit", valid: "1", wrong: ["0", "1001"] },
  { paths: ["/api/changes"], name: "view", valid: "record", wrong: ["full"] },
  { paths: ["/api/imports"], name: "limit", valid: "1", wrong: ["101"] },
];

const PATHS = [
  ...testPaths(),
  "/api/imprint/zeta?language=spa",
  "/api/news?date=20260101",
  "/api/search?q=la",
  "/api/search?sort=title&limit=2&view=record",
  "/openapi.json",
];

/** Returns queries that are wrong for every parameter: no value, one that is not UTF-8, and several. */
function wrongForAll({ name, valid }: Row): string[] {
  const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  const values = ["=", "", "=%zz", "=%2", "=%FF"].map((value) => name + value);
  return [
    ...values,
    ...[`${name}=${valid}`, name, `${escaped}=${valid}`].map((also) => `${name}=${valid}&${also}`),
  ];
}

for (const engine of ENGINES) {
  describe(engine.name, () => {
    const api = sharedApi(() => createTestApi(engine));

    test.each(ROWS)("returns 400 for each wrong value of $name in $paths", async (row) => {
      const { paths, name, wrong, message = "Bad Request", detail = "" } = row;
      for (const path of paths.map((each) => `${each}${each.includes("?") ? "&" : "?"}`)) {
        for (const value of wrong)
          await expectGet(api, `${path}${name}=${value}`, { status: 400, message, detail });
        for (const query of wrongForAll(row)) {
          const { json } = await expectGet(api, path + query, { status: 400, message });
          expect(json.title).toBe("Bad Request");
        }
      }
    });

    const SEGMENTS = ["%", "%4", "%zz", "%C3", "%C0%AF", "%ED%A0%80", "a%FFb", "%F8%88%80%80%80"];

    test.each(SEGMENTS)(
      "returns 400 for the segment %s, which is not percent-encoded UTF-8",
      async (segment) => {
        for (const path of ["/api/isbn/", "/api/isbns/", "/api/imprint/"])
          await expectGet(api, path + segment, {
            status: 400,
            message: "Bad Request",
            detail: "percent-encoding",
          });
      },
    );

    const SHORT_AND_LONG = ["978", "97899999230190", "9999923012", "978999992301X"];

    test.each([...SHORT_AND_LONG, "abc", "%00", `${FIRST},`, "٩٧٨٩٩٩٩٩٢٣٠١٩"])(
      "returns 400 for the ISBN %s",
      async (isbn) => {
        const path = `/api/isbn/${encodeURIComponent(isbn)}`;
        await expectGet(api, path, { status: 400, message: "Bad Request" });
      },
    );

    test.each([
      [`${FIRST},`, "Item 2"],
      [`,${FIRST}`, "Item 1"],
      [`${FIRST},,${SECOND}`, "Item 2"],
      [`${FIRST},abc`, '"abc"'],
      [`${FIRST},${"z".repeat(5000)}`, `"${"z".repeat(40)}…"`],
    ])("returns 400 for the invalid list %# and names the item", async (list, detail) => {
      const response = await expectGet(api, `/api/isbns/${list}`, {
        status: 400,
        message: "Bad Request",
        detail,
      });
      expect(response.json.detail.length).toBeLessThan(200);
    });

    test.each(["/api/imports/0", "/api/imports/last", "/api/origin/1"])("returns 400 for %s", (path) =>
      expectGet(api, path, { status: 400, message: "Bad Request" }),
    );

    /** Returns the headers that HEAD and GET share. Those of the framing depend on the body (RFC 9110 §9.3.2). */
    const sharedHeaders = ({ headers }: { headers: Headers }) => {
      const shared = new Map(headers);
      for (const name of ["content-length", "transfer-encoding"]) shared.delete(name);
      return Object.fromEntries(shared);
    };

    for (const coding of ["identity", "gzip", "zstd"]) {
      test.each(PATHS)(`HEAD %s returns the headers of GET and no body (${coding})`, async (path) => {
        const headers = { "Accept-Encoding": coding };
        const get = await api.get(path, { headers });
        const head = await api.get(path, { headers, method: "HEAD" });
        expect(head.status).toBe(200);
        expect(head.raw).toHaveLength(0);
        expect(sharedHeaders(head)).toEqual(sharedHeaders(get));
        const length = head.headers.get("content-length");
        if (path.startsWith("/api/isbn/")) expect(length).toBe(get.headers.get("content-length"));
        if (length !== null) expect(length).toBe(String(get.raw.length));
      });
    }

    test("HEAD of a list reads no record and leaves no snapshot open", async () => {
      const before = api.observed.bytesRead;
      await api.get("/api/news?date=20200101", { method: "HEAD" });
      expect(api.observed.bytesRead).toBe(before);
      expect(api.observed.openSnapshots).toBe(0);
    });

    test.each(["/api/isbn/abc", "/api/isbn/9780000000002", "/api/imprint/nobody", "/api/nothing"])(
      "HEAD %s returns the headers of the error and no body",
      async (path) => {
        const headers = { "X-Request-Id": "same" };
        const get = await api.get(path, { headers });
        const head = await api.get(path, { headers, method: "HEAD" });
        expect(head.status).toBe(get.status);
        expect(head.raw).toHaveLength(0);
        expect(sharedHeaders(head)).toEqual(sharedHeaders(get));
      },
    );

    test.each(PATHS)("OPTIONS %s returns 204 without a token", async (path) => {
      const response = await api.get(path, { method: "OPTIONS", token: null });
      expect(response.status).toBe(204);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.raw).toHaveLength(0);
    });

    test("leaves no snapshot open and reports no error", () => {
      expect([api.observed.openSnapshots, api.errors]).toEqual([0, []]);
    });
  });
}
