import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { escapeControls, escapeToFit, redactToFit } from "./printable.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
);

describe("escapeToFit", () => {
  test("returns plain text unchanged", () => {
    expect(escapeToFit("/api/isbn/978-84 (x)?[~]", 100)).toBe("/api/isbn/978-84 (x)?[~]");
    expect(escapeToFit("Librería Ñandú 中文 😀", 100)).toBe("Librería Ñandú 中文 😀");
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
  ])("escapes %j", (text, escaped) => {
    expect(escapeToFit(text, 100)).toBe(escaped);
  });

  test("returns the content of a JSON string within the limit, for any text", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 8, max: 120 }), (text, maxBytes) => {
        const escaped = escapeToFit(text, maxBytes);
        expect(Buffer.byteLength(escaped)).toBeLessThanOrEqual(maxBytes);
        expect(escaped).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}]/u);
        const parsed: string = JSON.parse(`"${escaped}"`);
        if (parsed !== text)
          expect([escaped.at(-1), text.startsWith(parsed.slice(0, -1))]).toEqual(["…", true]);
        const complete = escapeToFit(text, 10_000);
        if (Buffer.byteLength(complete) <= maxBytes) expect(escaped).toBe(complete);
      }),
      { numRuns: 2000 },
    );
  });

  test("truncates long text with an ellipsis", () => {
    expect(escapeToFit("x".repeat(100), 10)).toBe("xxxxxxx…");
    expect(escapeToFit("ñ".repeat(100), 10)).toBe("ñññ…");
    expect(escapeToFit("\n".repeat(100), 10)).toBe("\\n\\n\\n…");
    expect(escapeToFit("ñ".repeat(5), 10)).toBe("ñññññ");
  });
});

describe("redactToFit", () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJCb29rc2hvcCIsImV4cCI6MX0.c2lnbmF0dXJl";

  test("replaces a token, wherever it is", () => {
    for (const text of [token, `/api/isbn/${token}`, `-${token}`, `${token}${token}`, `Bearer ${token}, x`]) {
      expect(redactToFit(text, 500)).toContain("[token]");
      expect(redactToFit(text, 500)).not.toContain("eyJ");
      expect(redactToFit(text, 500)).not.toContain("c2ln");
    }
    expect(redactToFit(`/api/isbn/${token}/x`, 500)).toBe("/api/isbn/[token]/x");
  });

  test("leaves no part of a token where the text is truncated", () => {
    for (let maxBytes = 40; maxBytes < 200; maxBytes++)
      expect(redactToFit(`/x/${token}`, maxBytes)).not.toContain("eyJzdWI");
  });

  test("replaces the password of a URL", () => {
    expect(redactToFit("connect postgres://colophon:s3cret@db/x: no", 500)).toBe(
      "connect postgres://colophon:[password]@db/x: no",
    );
    expect(redactToFit("postgres://:s3cret@db/x", 500)).not.toContain("s3cret");
    expect(redactToFit("postgres://me:an@s3cret@db/x", 500)).toBe("postgres://me:[password]@db/x");
  });

  test("takes linear time on text that is made to be slow", () => {
    // In quadratic time, these would take hours.
    for (const part of ["-eyJ", "eyJ", "://a:", "a://", "ñ", '"'])
      expect(Buffer.byteLength(redactToFit(part.repeat(500_000), 2048))).toBeLessThanOrEqual(2048);
  });
});

describe("escapeControls", () => {
  test("escapes control characters, and leaves quotes and backslashes", () => {
    expect(escapeControls('"C:\\feed"\x1b[2J\n\u202e ñ')).toBe('"C:\\feed"\\u001b[2J\\n\\u202e ñ');
  });
});
