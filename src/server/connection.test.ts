/** Connections as clients misuse them, on a real socket. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Api, api, until } from "../api/testing/api.ts";
import { BOOKS, entry, fill, shelf } from "../api/testing/books.ts";
import { SQLITE } from "../api/testing/engines.ts";
import { dial, parsed, send } from "../api/testing/socket.ts";

setDefaultTimeout(60_000);

let it: Api;
beforeAll(async () => {
  it = await api(SQLITE);
  await fill(it.store, [...shelf(200_000)]);
});
afterAll(() => it[Symbol.asyncDispose]());

const ISBNS = BOOKS.map(({ isbn }) => isbn);
const request = (path: string, ...fields: string[]) =>
  [`GET ${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${it.token}`, ...fields, "", ""].join("\r\n");

/** Writes pieces one after the other, and gives all that comes back in the end. */
async function conversation(pieces: readonly string[], isOver: (text: string) => boolean): Promise<string> {
  const socket = await dial(it.port);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  for (const piece of pieces) {
    socket.write(piece);
    await Bun.sleep(1);
  }
  await until(() => isOver(text));
  socket.destroy();
  return text;
}

const answersOf = (text: string) => [...text.matchAll(/"RecordReference":"(\d+)"/g)].map(([, isbn]) => isbn!);

test("a request that comes byte by byte", async () => {
  const text = await conversation([...request(`/api/isbn/${ISBNS[0]}`)], (text) => text.endsWith("}"));
  expect(answersOf(text)).toEqual([ISBNS[0]!]);
});

test("requests in pieces that end anywhere, one connection, each answered once and in order", async () => {
  const all = [...ISBNS, ...ISBNS, ...ISBNS].map((isbn) => request(`/api/isbn/${isbn}`)).join("");
  const pieces = all.match(/[\s\S]{1,397}/g)!;
  const text = await conversation(pieces, (text) => answersOf(text).length === 3 * ISBNS.length);
  expect(answersOf(text)).toEqual([...ISBNS, ...ISBNS, ...ISBNS]);
});

describe("the short way", () => {
  /** One after the other on one connection, so that each is the same as the one before but for a segment. */
  async function oneByOne(...requests: readonly string[]): Promise<string[]> {
    const socket = await dial(it.port);
    const replies: string[] = [];
    for (const text of requests) {
      const answered = new Promise<Buffer>((resolve) => socket.once("data", resolve));
      socket.write(text);
      replies.push((await answered).toString("latin1"));
    }
    socket.destroy();
    return replies;
  }

  test("gives what the long way gives", async () => {
    const segments = [
      ...ISBNS,
      "9780000000002",
      "x",
      "978-99999230%2019",
      ...ISBNS,
      "9789999923019?x=1",
      "",
      "%",
    ];
    const replies = await oneByOne(...segments.map((segment) => request(`/api/isbn/${segment}`)));
    for (const [at, segment] of segments.entries()) {
      const fresh = parsed(await send(it.port, request(`/api/isbn/${segment}`)));
      const reply = parsed(replies[at]!);
      expect([segment, reply.status, reply.body]).toEqual([segment, fresh.status, fresh.body]);
    }
  });

  test("a token is checked each time", async () => {
    const path = `/api/isbn/${ISBNS[0]}`;
    const bad = request(path).replace(it.token, `${it.token.slice(0, -2)}xx`);
    const replies = await oneByOne(request(path), request(path), bad, request(path), bad);
    expect(replies.map((reply) => parsed(reply).status)).toEqual([200, 200, 401, 200, 401]);
  });

  test("sees an import", async () => {
    await using own = await api(SQLITE);
    const text = request(`/api/isbn/${ISBNS[0]}`).replace(it.token, own.token);
    const socket = await dial(own.port);
    const ask = async () => {
      const answered = new Promise<Buffer>((resolve) => socket.once("data", resolve));
      socket.write(text);
      return (await answered).toString();
    };
    for (let times = 0; times < 5; times++) expect(await ask()).not.toContain("Changed");
    await fill(own.store, [entry({ ...BOOKS[0]!, title: "Changed" })]);
    expect(await ask()).toContain("Changed");
    socket.destroy();
  });
});

test("HTTP/1.0 has no chunks, and ends with the connection", async () => {
  const old = request("/api/imprint/long-shelf").replace("HTTP/1.1", "HTTP/1.0");
  const socket = await dial(it.port);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => socket.once("end", resolve));
  socket.write(old);
  await ended;
  const { headers } = parsed(Buffer.concat(chunks).toString("latin1"));
  expect(headers.has("transfer-encoding")).toBe(false);
  const body = Buffer.concat(chunks).toString("utf8").split("\r\n\r\n").slice(1).join("\r\n\r\n");
  expect(JSON.parse(body).length).toBeGreaterThan(10);
});

test.each([["Connection: close"], ["Transfer-Encoding: chunked"], ["Content-Length: 1000000"]])(
  "%s: the answer, and no more",
  async (field) => {
    const both = request(`/api/isbn/${ISBNS[0]}`, field) + request(`/api/isbn/${ISBNS[1]}`);
    const text = await send(it.port, both, 2);
    expect(answersOf(text)).toEqual([ISBNS[0]!]);
    expect(parsed(text).headers.get("connection")).toBe("close");
  },
);

test("requests that come while an answer waits are kept, and those beyond the bound are not read", async () => {
  const socket = await dial(it.port);
  socket.pause();
  const many = request("/api/imprint/long-shelf");
  const count = 2000;
  socket.write(many.repeat(count));
  await Bun.sleep(300);
  let ends = 0;
  socket.on("data", (chunk) => {
    ends += chunk.toString("latin1").split("HTTP/1.1 200 OK").length - 1;
  });
  socket.resume();
  // A status line may be cut in two by a chunk.
  await until(() => ends >= count * 0.98);
  socket.destroy();
});
