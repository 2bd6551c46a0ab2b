/** Tokens that are rightly signed, and still no tokens: other spellings, other encodings, other sizes. */
import { expect, test } from "bun:test";
import { MAX_TOKEN_CHARS } from "./compact-jws.ts";
import {
  CLAIMS,
  createTokenSigners,
  describeEachAlgorithm,
  encodePart,
  setUpAuthTests,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const forges = await createTokenSigners();

describeEachAlgorithm(
  forges,
  ({
    signer: forge,
    alg,
    good,
    head,
    payload,
    signature,
    expectRejected: refuses,
    expectAccepted: admits,
  }) => {
    test("refuses other spellings of the same token", async () => {
      const spellings = [
        `${good}.`,
        `.${good}`,
        `${head}..${payload}.${signature}`,
        `${good}.${signature}`,
        `${head}.${payload}`,
        head,
        "",
        ".",
        "..",
        "...",
        "....",
        `${good}=`,
        `${good}==`,
        `${head}=.${payload}.${signature}`,
        `${head}.${payload}==.${signature}`,
        `${good} `,
        `${good}\n`,
        `${good}\t`,
        `${head} .${payload}.${signature}`,
        `${head}.${payload}.\r\n${signature}`,
        `${good}\0`,
        `${good}%00`,
        `${good},${good}`,
        `${good};`,
        `"${good}"`,
        good.toUpperCase(),
        encodeURIComponent(` ${good}`),
        `${head}.${payload}.${signature.slice(0, -1)}`,
        `${head}.${payload}.${signature}A`,
        JSON.stringify({ protected: head, payload, signature }),
        JSON.stringify({ payload, signatures: [{ protected: head, signature }] }),
      ];
      for (const spelling of spellings) await refuses(spelling);
      const standard = Buffer.from(signature, "base64url").toString("base64");
      await refuses(`${head}.${payload}.${standard}`);
    });

    test("refuses the unused bits of base64url set, in each part", async () => {
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
      // One byte over a multiple of three leaves four unused bits, so that every part can be given some.
      const padded = forge.token(`{"alg":"${alg}"}`.padEnd(25), JSON.stringify(CLAIMS).padEnd(100));
      await admits(padded);
      let tried = 0;
      for (const [index, each] of padded.split(".").entries()) {
        if (each.length % 4 === 0) continue;
        const last = alphabet.indexOf(each.at(-1)!);
        const parts = padded.split(".");
        parts[index] = each.slice(0, -1) + alphabet[last + 1];
        await refuses(parts.join("."));
        // Even when the signature is over that very spelling.
        if (index < 2)
          await refuses(
            `${parts[0]}.${parts[1]}.${forge.sign(`${parts[0]}.${parts[1]}`).toString("base64url")}`,
          );
        tried++;
      }
      expect(tried).toBe(3);
    });

    test("refuses a header or payload that is no JSON object in UTF-8", async () => {
      const bytes = (text: string) => Buffer.from(text, "latin1");
      const claims = JSON.stringify(CLAIMS);
      for (const header of [
        "",
        "null",
        "1",
        '"x"',
        `["${alg}"]`,
        `{"alg":"${alg}"`,
        `{"alg":"${alg}",}`,
        `\uFEFF{"alg":"${alg}"}`,
        "{}",
      ]) {
        await refuses(forge.token(header, CLAIMS));
      }
      await refuses(forge.token(bytes(`{"alg":"${alg}","x":"\xff"}`), CLAIMS));
      for (const body of [
        "",
        "null",
        "1",
        `[${claims}]`,
        claims.slice(0, -1),
        `${claims}x`,
        `\uFEFF${claims}`,
        JSON.stringify(claims),
      ]) {
        await refuses(forge.token({ alg }, body));
      }
      await refuses(forge.token({ alg }, bytes(`${claims.slice(0, -1)},"x":"\xc3\x28"}`)));
    });

    test("lets the last of a repeated member count, in both parts (RFC 7515, 4)", async () => {
      await admits(forge.token(`{"alg":"none","alg":"${alg}"}`, CLAIMS));
      await refuses(forge.token(`{"alg":"${alg}","alg":"none"}`, CLAIMS));
      await admits(forge.token({ alg }, `{"exp":1,"exp":${CLAIMS.exp}}`));
      await refuses(forge.token({ alg }, `{"exp":${CLAIMS.exp},"exp":1}`));
    });

    test("finds nothing in the prototype", async () => {
      await refuses(forge.token({ alg }, `{"__proto__":{"exp":${CLAIMS.exp}}}`));
      await refuses(forge.token(`{"__proto__":{"alg":"${alg}"}}`, CLAIMS));
    });

    test("stands tokens that are too long or nested too deep", async () => {
      const longest = MAX_TOKEN_CHARS - good.length - 100;
      await admits(forge.token({ alg }, { ...CLAIMS, x: "x".repeat(Math.floor(longest * 0.74)) }));
      for (const length of [MAX_TOKEN_CHARS, 60_000, 1_000_000])
        await refuses(forge.token({ alg }, { ...CLAIMS, x: "x".repeat(length) }));
      const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
      await refuses(forge.token(`{"alg":"${alg}","x":${deep("[", "]", 500_000)}}`, CLAIMS));
      await refuses(`${encodePart(deep("[", "]", 2900))}.${payload}.${signature}`);
      await refuses(forge.token(`{"crit":${deep("[", "]", 2500)},"alg":"${alg}"}`, CLAIMS));
      await admits(forge.token({ alg }, `{"exp":${CLAIMS.exp},"x":${deep("[", "]", 2000)}}`));
    });
  },
);
