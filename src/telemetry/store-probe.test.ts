/** How the probes work on real stores is tested in `cli/serve/readiness.test.ts`. */
import { describe, expect, test } from "bun:test";
import { createReadinessProbe, readStats } from "./store-probe.ts";

const failing = () => {
  throw new Error("disk I/O error");
};
const never = () => new Promise<never>(() => {});

describe("createReadinessProbe", () => {
  test("reports a service that stops, even if the store responds", async () => {
    let isStopping = false;
    const probe = createReadinessProbe({ revision: () => "0" }, () => isStopping);
    expect(await probe()).toBeUndefined();
    isStopping = true;
    expect(await probe()).toBe("stopping");
  });

  test("reports a store that does not respond in time", async () => {
    const probe = createReadinessProbe({ revision: never }, () => false, 20);
    expect(await probe()).toBe("the store did not respond within 0.02 s");
  });

  test("reports the error of a store that fails", async () => {
    const probe = createReadinessProbe({ revision: failing }, () => false);
    expect(await probe()).toBe("the store failed: disk I/O error");
  });
});

describe("readStats", () => {
  test("returns undefined when the store fails or does not respond in time", async () => {
    expect(await readStats({ stats: () => Promise.reject(new Error("x")) })).toBeUndefined();
    expect(await readStats({ stats: never }, 20)).toBeUndefined();
  });
});
