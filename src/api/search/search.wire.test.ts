/** Searches over sockets: framing, order, clients that leave, and lookups beside them. */
import { describe, expect, test } from "bun:test";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { openSocket, parseResponse, sendRaw } from "../../server/testing/socket.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { DATABASE_ENGINES } from "../../stores/testing/engines.ts";
import { StreamBudget } from "../stream-budget.ts";
import { serveTestApi } from "../testing/api.ts";
import { entryOf, longListIsbn } from "../testing/books.ts";
import { sharedApi } from "../testing/shared-api.ts";

const BOOKS = 500;
const SEARCHES = 8;
const ISBN = longListIsbn(0);

for (const engine of DATABASE_ENGINES) {
  describe(`search over a socket (${engine.name})`, () => {
    const streamBudget = new StreamBudget({ maxBytes: 64 << 20 });
    const api = sharedApi(async () => {
      const created = await serveTestApi(engine, { books: false, streamBudget });
      const words = (index: number) =>
        Array.from({ length: 40 }, (_, at) => `w${(index * 7 + at) % 300}`).join(" ");
      const entries = Array.from({ length: BOOKS }, (_, index) =>
        entryOf({ isbn: longListIsbn(index), title: `Común ${index}`, description: words(index) }),
      );
      await importBooks(created.store, entries);
      // The first request verifies the token and starts what searches run on.
      await fetch(`${created.url}/api/search?q=comun`, { headers: authorization(created.token) });
      return created;
    });

    const authorization = (token = api.token) => ({ Authorization: `Bearer ${token}` });
    const head = (method: string, target: string) =>
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.token}\r\n\r\n`;

    test("returns a page with its length, Link and total, and only its head for HEAD", async () => {
      const target = "/api/search?q=com%C3%BAn+7&limit=3";
      const get = parseResponse(await sendRaw(api.port, head("GET", target)));
      expect([get.status, get.headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(get.headers.get("x-total-count")).toBe("1");
      expect(JSON.parse(Buffer.from(get.body, "latin1").toString())).toHaveLength(1);
      const page = parseResponse(await sendRaw(api.port, head("GET", "/api/search?q=comun&limit=3")));
      expect([page.headers.get("x-total-count"), page.headers.has("content-length")]).toEqual([
        String(BOOKS),
        true,
      ]);
      expect(page.headers.get("link")).toMatch(/^<\?q=comun&limit=3&cursor=[\w-]+>; rel="next"$/);
      const both = await sendRaw(api.port, head("HEAD", target) + head("GET", `/api/isbn/${ISBN}`), 2);
      expect(both.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    });

    test("responds to pipelined requests in their order, also when a lookup follows a search", async () => {
      const targets = [
        "/api/search?q=w1+w2&limit=1",
        `/api/isbn/${ISBN}`,
        "/api/search?q=%22",
        "/api/facets?q=w3",
      ];
      const text = await sendRaw(api.port, targets.map((target) => head("GET", target)).join(""), 4);
      const bodies = [...text.matchAll(/\r\n\r\n([{[].{8})/g)].map(([, start]) => start);
      expect(bodies).toEqual(['[{"isbn":', '{"_id":"0', '{"type":"', '{"total":']);
    });

    test("responds to lookups while 8 clients search all the time", async () => {
      const statuses = new Set<number>();
      let isOver = false;
      let queries = 0;
      const clients = Array.from({ length: SEARCHES }, async () => {
        while (!isOver) {
          const path = `/api/facets?q=${encodeURIComponent(`com* -x${++queries}`)}`;
          const response = await fetch(api.url + path, { headers: authorization() });
          await response.bytes();
          statuses.add(response.status);
        }
      });
      for (let lookups = 0; lookups < 30; lookups++) {
        const response = await fetch(`${api.url}/api/isbn/${longListIsbn(lookups)}`, {
          headers: authorization(),
        });
        expect([
          response.status,
          ((await response.json()) as { RecordReference: string }).RecordReference,
        ]).toEqual([200, longListIsbn(lookups)]);
      }
      isOver = true;
      await Promise.all(clients);
      // On a busy machine, a search may wait for more than 2 seconds.
      for (const status of statuses) expect([200, 503]).toContain(status);
    });

    test("gives the memory back of clients that leave while their searches run", async () => {
      const before = api.observed.searches;
      const sockets = await Promise.all(Array.from({ length: SEARCHES }, () => openSocket(api.port)));
      for (const [index, socket] of sockets.entries())
        socket.write(head("GET", `/api/search?q=com*+w${index}`));
      await waitFor("all searches are under way", () => api.observed.searches === before + SEARCHES);
      for (const socket of sockets) socket.destroy();
      await waitFor("no memory is taken", () => streamBudget.usedBytes === 0);
      expect(api.observed.openSnapshots).toBe(0);
      expect((await fetch(`${api.url}/api/search?q=comun`, { headers: authorization() })).status).toBe(200);
    });
  });
}
