import { afterAll, expect, test } from "bun:test";
import { exchange, fileName, MAX_SHOWN_CHARS, type ReceivedResponse } from "./exchange.ts";

const LONG = `["${"é".repeat(MAX_SHOWN_CHARS)}"]`;
const server = Bun.serve({
  port: 0,
  fetch: ({ url }) =>
    new Response(url.endsWith("/long") ? LONG : "{}", {
      status: 404,
      headers: { "Content-Type": "application/json" },
    }),
});
afterAll(() => server.stop(true));

async function receive(path: string): Promise<ReceivedResponse[]> {
  const shown: ReceivedResponse[] = [];
  const request = { url: server.url.origin + path, headers: {} };
  await exchange(request, new AbortController().signal, (response) => shown.push(response));
  return shown;
}

test("exchange shows a short response once, whole", async () => {
  const [shown, ...more] = await receive("/short");
  expect(more).toEqual([]);
  expect(shown).toMatchObject({ status: 404, start: "{}", isCut: false, bytes: 2, isReading: false });
  expect(await shown!.body!.text()).toBe("{}");
});

test("exchange cuts a long response, and keeps the whole for the download", async () => {
  const last = (await receive("/long")).at(-1)!;
  expect(last).toMatchObject({ isCut: true, isReading: false, bytes: Buffer.byteLength(LONG) });
  expect(last.start).toBe(LONG.slice(0, MAX_SHOWN_CHARS));
  expect(await last.body!.text()).toBe(LONG);
});

test.each([
  ["https://host/v1/api/isbn/9789999901116?format=csv", "text/csv; charset=utf-8", "isbn-9789999901116.csv"],
  ["https://host/api/imprint/Pen%C3%ADnsula", "application/onix+xml", "imprint-Península.xml"],
  ["https://host/api/skus", "application/x-ndjson", "skus.ndjson"],
  ["https://host/api/news", "application/problem+json", "news.json"],
])("fileName returns a name for %s as %s", (url, type, name) => {
  expect(fileName(url, type)).toBe(name);
});

test("fileName returns a short name for a long list of ISBNs", () => {
  const name = fileName(`https://host/api/isbns/${"9789999901116,".repeat(99)}`, "application/json");
  expect(name.length).toBeLessThan(70);
});
