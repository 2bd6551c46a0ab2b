import { expect, test } from "bun:test";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi } from "../testing/api.ts";
import { FailedTokens } from "./failed-tokens.ts";

test("the first 20 failures of an address are answered at once, and further ones later", async () => {
  const failed = new FailedTokens(5);
  for (let count = 0; count < 20; count++) expect(failed.count("192.0.2.1")).toBeUndefined();
  const late = failed.count("192.0.2.1");
  expect(late).toBeInstanceOf(Promise);
  await late;
  expect(failed.count("192.0.2.2")).toBeUndefined();
});

test("the addresses of one IPv6 network count together", async () => {
  const failed = new FailedTokens(0);
  const delays = Array.from({ length: 21 }, (_, index) => failed.count(`2001:db8::${index}`));
  expect(delays.map((delay) => delay !== undefined)).toEqual([...Array(20).fill(false), true]);
  expect(failed.count("2001:db8:0:1::1")).toBeUndefined();
  await Promise.all(delays);
});

test("no more than 1,000 answers wait", async () => {
  const failed = new FailedTokens(5);
  const waits = Array.from({ length: 1100 }, () => failed.count("192.0.2.1"));
  expect(waits.filter((wait) => wait !== undefined)).toHaveLength(1000);
  await Promise.all(waits);
  expect(failed.count("192.0.2.1")).toBeInstanceOf(Promise);
});

test("the API slows failed tokens down, but no valid one and no request without a token", async () => {
  const delay = Promise.withResolvers<void>();
  const failedTokens = new FailedTokens();
  failedTokens.count = () => delay.promise;
  await using api = await createTestApi(SQLITE, { failedTokens });
  let isAnswered = false;
  const failed = api.get("/api/imprints", { token: "a.b.c" }).finally(() => {
    isAnswered = true;
  });
  expect((await api.get("/api/imprints")).status).toBe(200);
  expect((await api.get("/api/imprints", { token: null })).status).toBe(401);
  expect(isAnswered).toBe(false);
  delay.resolve();
  expect((await failed).status).toBe(401);
});
