import { expect, test } from "bun:test";
import { HTML_ENTITIES } from "./html-entities.ts";

test("HTML_ENTITIES has the names of HTML 4.01 and XML with their characters", () => {
  // 252 of HTML 4.01, and `apos`, which only XML defines.
  expect(HTML_ENTITIES.size).toBe(253);
  const expected: Record<string, number> = {
    nbsp: 0xa0,
    eacute: 0xe9,
    yuml: 0xff,
    OElig: 0x152,
    scaron: 0x161,
    Yuml: 0x178,
    fnof: 0x192,
    tilde: 0x2dc,
    Alpha: 0x391,
    Rho: 0x3a1,
    Sigma: 0x3a3,
    Omega: 0x3a9,
    alpha: 0x3b1,
    sigmaf: 0x3c2,
    omega: 0x3c9,
    piv: 0x3d6,
    emsp: 0x2003,
    rlm: 0x200f,
    mdash: 0x2014,
    sbquo: 0x201a,
    bdquo: 0x201e,
    bull: 0x2022,
    hellip: 0x2026,
    euro: 0x20ac,
    trade: 0x2122,
    harr: 0x2194,
    hArr: 0x21d4,
    isin: 0x2208,
    notin: 0x2209,
    minus: 0x2212,
    infin: 0x221e,
    int: 0x222b,
    equiv: 0x2261,
    ge: 0x2265,
    nsub: 0x2284,
    supe: 0x2287,
    rfloor: 0x230b,
    rang: 0x232a,
    loz: 0x25ca,
    spades: 0x2660,
    hearts: 0x2665,
    diams: 0x2666,
    apos: 0x27,
    quot: 0x22,
  };
  for (const [name, code] of Object.entries(expected)) {
    expect([name, HTML_ENTITIES.get(name)?.codePointAt(0)]).toEqual([name, code]);
  }
});
