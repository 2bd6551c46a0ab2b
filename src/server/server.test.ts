/** The server around its connections: errors of the app, and the address. */
import { expect, test } from "bun:test";
import { Response } from "./response.ts";
import { simpleApp, startOnFreePort } from "./testing/simple-app.ts";
import { parseResponse, sendRaw } from "./testing/socket.ts";

const noContent = simpleApp(() => new Response(204, "", undefined));

test("frees the port when it stops", async () => {
  const server = startOnFreePort(noContent);
  expect((await fetch(server.url)).status).toBe(204);
  await server.stop(0);
  await using again = startOnFreePort(noContent, { port: server.port });
  expect(again.port).toBe(server.port);
  expect((await fetch(again.url)).status).toBe(204);
});

test.each([
  ["rejects", () => Promise.resolve().then(() => Promise.reject(new Error("secret")))],
  [
    "throws",
    () => {
      throw new Error("secret");
    },
  ],
])("responds 500 when the app %s, and reports the error", async (_, handle) => {
  const errors: unknown[] = [];
  await using server = startOnFreePort(simpleApp(handle), { onError: (error) => errors.push(error) });
  const response = await fetch(server.url);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret");
  expect(errors.map(String)).toEqual(["Error: secret"]);
});

test("throws the system's error when the port is taken", async () => {
  await using server = startOnFreePort(noContent);
  expect(() => startOnFreePort(noContent, { port: server.port })).toThrow(
    expect.objectContaining({ code: "EADDRINUSE" }),
  );
});

test("reports what a callback throws, cuts that connection, and serves the others", async () => {
  const errors: unknown[] = [];
  const failure = new Error("thrown by onRefused");
  await using server = startOnFreePort(noContent, {
    onError: (error) => errors.push(error),
    onRefused() {
      throw failure;
    },
  });
  expect(await sendRaw(server.port, "no request\r\n\r\n")).toBe("");
  expect(errors).toEqual([failure]);
  expect(parseResponse(await sendRaw(server.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).status).toBe(204);
});
