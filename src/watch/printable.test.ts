import { describe as about, expect, test } from "bun:test";
import fc from "fast-check";
import { describe, fit, shown } from "./printable.ts";

const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
);

about("fit", () => {
  test("plain text stays as it is", () => {
    expect(fit("/api/isbn/978-84 (x)?[~]", 100)).toBe("/api/isbn/978-84 (x)?[~]");
    expect(fit("Librería Ñandú 中文 😀", 100)).toBe("Librería Ñandú 中文 😀");
  });

  test.each([
    ["a\nb", "a\\nb"],
    ["a\r\tb", "a\\u000d\\u0009b"],
    ["\x1b[2J\x07", "\\u001b[2J\\u0007"],
    ["\x7f\x85\u2028\u2029", "\\u007f\\u0085\\u2028\\u2029"],
    ["\u202egnp.exe", "\\u202egnp.exe"],
    ["\u{e0041}", "\\udb40\\udc41"],
    ['"\\', '\\"\\\\'],
    ["\ud800", "\\ud800"],
  ])("%j", (text, written) => {
    expect(fit(text, 100)).toBe(written);
  });

  test("any text: no more bytes than allowed, nothing that ends a line, and the text itself where it is whole", () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 8, max: 120 }), (text, most) => {
        const fitted = fit(text, most);
        expect(Buffer.byteLength(fitted)).toBeLessThanOrEqual(most);
        expect(fitted).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}]/u);
        const read: string = JSON.parse(`"${fitted}"`);
        if (read !== text) expect([fitted.at(-1), text.startsWith(read.slice(0, -1))]).toEqual(["…", true]);
        const whole = fit(text, 10_000);
        if (Buffer.byteLength(whole) <= most) expect(fitted).toBe(whole);
      }),
      { numRuns: 2000 },
    );
  });

  test("long text is cut off, and shows it", () => {
    expect(fit("x".repeat(100), 10)).toBe("xxxxxxx…");
    expect(fit("ñ".repeat(100), 10)).toBe("ñññ…");
    expect(fit("\n".repeat(100), 10)).toBe("\\n\\n\\n…");
    expect(fit("ñ".repeat(5), 10)).toBe("ñññññ");
  });
});

about("shown", () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJCb29rc2hvcCIsImV4cCI6MX0.c2lnbmF0dXJl";

  test("no token, wherever it stands", () => {
    for (const text of [token, `/api/isbn/${token}`, `-${token}`, `${token}${token}`, `Bearer ${token}, x`]) {
      expect(shown(text, 500)).toContain("[token]");
      expect(shown(text, 500)).not.toContain("eyJ");
      expect(shown(text, 500)).not.toContain("c2ln");
    }
    expect(shown(`/api/isbn/${token}/x`, 500)).toBe("/api/isbn/[token]/x");
  });

  test("no part of one where the text is cut", () => {
    for (let most = 40; most < 200; most++) expect(shown(`/x/${token}`, most)).not.toContain("eyJzdWI");
  });

  test("no password of a URL", () => {
    expect(shown("connect postgres://colophon:s3cret@db/x: no", 500)).toBe(
      "connect postgres://colophon:[password]@db/x: no",
    );
    expect(shown("postgres://:s3cret@db/x", 500)).not.toContain("s3cret");
    expect(shown("postgres://me:an@s3cret@db/x", 500)).toBe("postgres://me:[password]@db/x");
  });

  test("a path that is made to be slow is not looked at for long", () => {
    // By the square of their length, these would take hours.
    for (const part of ["-eyJ", "eyJ", "://a:", "a://", "ñ", '"'])
      expect(Buffer.byteLength(shown(part.repeat(500_000), 2048))).toBeLessThanOrEqual(2048);
  });
});

about("describe", () => {
  test("an error, where it was, its code, and its causes", () => {
    const cause = Object.assign(new Error("disk I/O error"), { name: "SQLiteError", code: "SQLITE_IOERR" });
    const text = describe(new TypeError("no\nrecord", { cause }));
    expect(text).toMatch(
      /^TypeError: no\nrecord \(at .*text\.test\.ts.*\); caused by SQLiteError SQLITE_IOERR: disk I\/O error \(at /,
    );
  });

  test("what is no error", () => {
    expect(describe("plain")).toBe("plain");
    expect(describe({ a: 1 })).toContain("a: 1");
    expect(describe(null)).toBe("null");
    expect(describe(undefined)).toBe("undefined");
  });

  test("circles end, and errors that cannot be read are errors all the same", () => {
    const a = new Error("a");
    const b = new Error("b", { cause: a });
    a.cause = b;
    expect(describe(a).match(/caused by/g)).toHaveLength(3);
    const odd = new Error("x");
    Object.defineProperty(odd, "message", {
      get() {
        throw new Error("never");
      },
    });
    expect(describe(odd)).toBe("an error that cannot be shown");
  });
});
