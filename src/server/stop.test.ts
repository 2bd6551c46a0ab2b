/** How the connections of a server end when it stops. The clock is the sweep, which each test calls by itself. */
import { expect, test } from "bun:test";
import { Connection, type ConnectionSocket } from "./connection.ts";
import { DEFAULT_TIMEOUTS, STOP_TIMEOUTS } from "./limits.ts";
import { Response } from "./response.ts";
import { simpleApp } from "./testing/simple-app.ts";

type End = "end" | "shutdown" | "terminate";

/** A connection on a socket that takes every byte. */
function connect(handle: () => Response | Promise<Response> = () => new Response(204, "", undefined)) {
  const ends: End[] = [];
  let sent = "";
  const socket: ConnectionSocket = {
    write(bytes) {
      sent += Buffer.from(bytes).toString("latin1");
      return bytes.length;
    },
    end: () => void ends.push("end"),
    shutdown: () => void ends.push("shutdown"),
    terminate: () => void ends.push("terminate"),
    pause() {},
    resume() {},
  };
  const connection = new Connection(socket, simpleApp(handle), {
    onSent: undefined,
    onRefused: undefined,
    onError() {},
  });
  return {
    connection,
    ends,
    sent: () => sent,
    async sweep(times: number) {
      for (let time = 0; time < times; time++) connection.sweep(DEFAULT_TIMEOUTS);
      // Responses are written at the end of the tick.
      await Bun.sleep(0);
    },
  };
}

const HALF = Buffer.from("GET /x HTTP/1.1\r\nHost");
const REST = Buffer.from(": x\r\n\r\n");

test("closes a connection at once that has been idle for longer than a second", async () => {
  const { connection, ends, sweep } = connect();
  await sweep(STOP_TIMEOUTS.idleSeconds + 1);
  expect(ends).toEqual([]);
  connection.stop();
  expect(ends).toEqual(["end"]);
});

test("leaves a connection more than a second for its next request", async () => {
  const { connection, ends, sent, sweep } = connect();
  connection.stop();
  await sweep(STOP_TIMEOUTS.idleSeconds);
  expect(ends).toEqual([]);
  connection.receive(Buffer.concat([HALF, REST]));
  await sweep(0);
  expect(sent()).toMatch(/^HTTP\/1\.1 204 .*\r\nConnection: close\r\n/s);
  expect(ends).toEqual(["end"]);
});

test("closes a connection without a next request within two seconds", async () => {
  const { connection, ends, sweep } = connect();
  connection.stop();
  await sweep(STOP_TIMEOUTS.idleSeconds + 1);
  expect(ends).toEqual(["end"]);
});

test("refuses a request head that is not complete within 3 s with 408, however long it has taken before", async () => {
  const { connection, ends, sent, sweep } = connect();
  connection.receive(HALF);
  await sweep(DEFAULT_TIMEOUTS.requestSeconds);
  connection.stop();
  await sweep(STOP_TIMEOUTS.requestSeconds);
  expect(sent()).toBe("");
  await sweep(1);
  expect(sent()).toStartWith("HTTP/1.1 408 ");
  expect(ends).toEqual(["shutdown"]);
  await sweep(STOP_TIMEOUTS.lingerSeconds + 1);
  expect(ends).toEqual(["shutdown", "terminate"]);
});

test("responds to a request head that is completed in time", async () => {
  const { connection, ends, sent, sweep } = connect();
  connection.receive(HALF);
  connection.stop();
  await sweep(STOP_TIMEOUTS.requestSeconds);
  connection.receive(REST);
  await sweep(0);
  expect(sent()).toStartWith("HTTP/1.1 204 ");
  expect(ends).toEqual(["end"]);
});

test("waits for a response that takes long", async () => {
  const late = Promise.withResolvers<Response>();
  const { connection, ends, sent, sweep } = connect(() => late.promise);
  connection.receive(Buffer.concat([HALF, REST]));
  await sweep(2);
  connection.stop();
  await sweep(5);
  expect(ends).toEqual([]);
  late.resolve(new Response(200, "", Buffer.from("at last")));
  await sweep(0);
  expect(sent()).toEndWith("at last");
  expect(ends).toEqual(["end"]);
});
