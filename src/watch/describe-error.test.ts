import { describe, expect, test } from "bun:test";
import { SnapshotExpired } from "../catalog/snapshot-expired.ts";
import { StoreError } from "../catalog/store-error.ts";
import { describeError } from "./describe-error.ts";

describe("describeError", () => {
  test("has the name, the code, the message and the stack of an error and of its causes", () => {
    const cause = Object.assign(new Error("disk I/O error"), { name: "SQLiteError", code: "SQLITE_IOERR" });
    const text = describeError(new TypeError("no\nrecord", { cause }));
    expect(text).toMatch(
      /^TypeError: no\nrecord \(at .*describe-error\.test\.ts.*\); caused by SQLiteError SQLITE_IOERR: disk I\/O error \(at /,
    );
  });

  test("has no stack of an error whose message names the cause", () => {
    expect(describeError(new SnapshotExpired())).toMatch(
      /^SnapshotExpired: The list was cut off: .* faster\.$/,
    );
    expect(describeError(new StoreError("The disk is full; free some space."))).toBe(
      "StoreError: The disk is full; free some space.",
    );
  });

  test("shows values that are not errors", () => {
    expect(describeError("plain")).toBe("plain");
    expect(describeError({ a: 1 })).toContain("a: 1");
    expect(describeError(null)).toBe("null");
    expect(describeError(undefined)).toBe("undefined");
  });

  test("ends at circular causes, and survives an error that throws", () => {
    const a = new Error("a");
    const b = new Error("b", { cause: a });
    a.cause = b;
    expect(describeError(a).match(/caused by/g)).toHaveLength(3);
    const hostile = new Error("x");
    Object.defineProperty(hostile, "message", {
      get() {
        throw new Error("never");
      },
    });
    expect(describeError(hostile)).toBe("an error that cannot be shown");
  });
});
