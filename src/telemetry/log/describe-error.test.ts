import { describe, expect, test } from "bun:test";
import { DamagedRecord, SnapshotExpired, StoreError } from "../../catalog/store-errors.ts";
import { describeError } from "./log-lines.ts";

describe("describeError", () => {
  test("has the name, the code, the message and the stack of an error and of its causes", () => {
    const cause = Object.assign(new Error("disk I/O error"), { name: "SQLiteError", code: "SQLITE_IOERR" });
    const text = describeError(new TypeError("no\nrecord", { cause }));
    expect(text).toMatch(
      /^TypeError: no\nrecord \(at .*describe-error\.test\.ts.*\); caused by SQLiteError SQLITE_IOERR: disk I\/O error$/,
    );
  });

  test("has no colon and no undefined when an error has no message", () => {
    const withoutMessage = Object.assign(new StoreError(""), { message: undefined as unknown as string });
    expect(describeError(withoutMessage)).toBe("StoreError");
    expect(describeError(new Error(""))).toMatch(/^Error \(at /);
  });

  test("has no stack of an error whose message or code names the cause", () => {
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    expect(describeError(full)).toBe("Error ENOSPC: no space left on device");
    expect(describeError(new DamagedRecord("9788400000004" as DamagedRecord["isbn"]))).toEndWith(
      "into a new store.",
    );
    expect(describeError(Object.assign(new TypeError("x"), { code: "ERR_INVALID_ARG_TYPE" }))).toContain(
      "(at ",
    );
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
