/** Streams whose parts come from a database that reads one after the other, as PostgreSQL does, in the order of the calls. */
import { expect, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import type { App } from "./app.ts";
import { MAX_READS } from "./output/fair-queue.ts";
import type { Request } from "./request.ts";
import { Response } from "./response.ts";
import { simpleApp, startOnFreePort } from "./testing/simple-app.ts";
import { openSocket } from "./testing/socket.ts";

const PARTS = 10;
/** The lists of one client. */
const LISTS = 3 * MAX_READS;

/** Serves lists to clients that are named in the path. */
function serveLists() {
  const waiting: (() => void)[] = [];
  /** The clients whose parts were read, in this order. */
  const reads: string[] = [];
  const readNext = () => {
    waiting.shift()?.();
    timer = setImmediate(readNext);
  };
  let timer = setImmediate(readNext);
  const respond = ({ target }: Request) => {
    let left = PARTS;
    const next = () =>
      new Promise<Uint8Array | undefined>((resolve) =>
        waiting.push(() => {
          reads.push(target);
          resolve(left-- > 0 ? new Uint8Array(1000) : undefined);
        }),
      );
    return new Response(200, "", { stream: { next, close() {} }, onFailure() {} });
  };
  const app: App<undefined> = {
    ...simpleApp(respond),
    handle: (request) => ({
      response: respond(request),
      extraHeaders: "",
      info: undefined,
      lease: { client: request.target, release() {}, isRecalled: () => false },
    }),
  };
  const server = startOnFreePort(app);
  return {
    reads,
    countReads: (client: string) => reads.filter((read) => read === client).length,
    async request(client: string) {
      const socket = await openSocket(server.port);
      socket.resume();
      socket.write(`GET ${client} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return socket;
    },
    async [Symbol.asyncDispose]() {
      clearImmediate(timer);
      await server.stop(0);
    },
  };
}

test("a list waits for few parts of the lists that another client began before", async () => {
  await using served = serveLists();
  const { reads, countReads, request } = served;
  await Promise.all(Array.from({ length: LISTS }, () => request("/many")));
  await waitFor("each list has a part", () => countReads("/many") >= LISTS);
  const readsBefore = reads.length;
  await request("/few");
  await waitFor("the list has ended", () => countReads("/few") === PARTS + 1);
  // In the order of the calls, it would wait for a part of each list before each of its own.
  const others = reads.lastIndexOf("/few") - readsBefore - PARTS;
  expect(others).toBeLessThan((PARTS + 2) * MAX_READS);
});

test("clients that leave while a part is read make room for others", async () => {
  await using served = serveLists();
  const { countReads, request } = served;
  const sockets = await Promise.all(Array.from({ length: LISTS }, () => request("/many")));
  await waitFor("each list has a part", () => countReads("/many") >= LISTS);
  for (const socket of sockets) socket.destroy();
  await request("/few");
  await waitFor("the list has ended", () => countReads("/few") === PARTS + 1);
});
