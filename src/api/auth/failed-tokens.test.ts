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

test("no more than 1,000 answers wait", async () => {
  const failed = new FailedTokens(5);
  const waits = Array.from({ length: 1100 }, () => failed.count("192.0.2.1"));
  expect(waits.filter((wait) => wait !== undefined)).toHaveLength(1000);
  await Promise.all(waits);
  expect(failed.count("192.0.2.1")).toBeInstanceOf(Promise);
});

test("the API slows failed tokens down, but no valid one and no request without a token", async () => {
  const delayed: string[] = [];
  const failedTokens = new FailedTokens(0);
  const count = failedTokens.count.bind(failedTokens);
  failedTokens.count = (address) => {
    delayed.push(address);
    return count(address);
  };
  await using api = await createTestApi(SQLITE, { failedTokens });
  for (const token of ["a.b.c", "a.b.c", null, undefined]) {
    const { status } = await api.get("/api/imprints", token === undefined ? {} : { token });
    expect(status).toBe(token === undefined ? 200 : 401);
  }
  expect(delayed).toHaveLength(2);
});
