/** Correctly signed tokens of the wrong form: other spellings, encodings and sizes. */
import { expect, test } from "bun:test";
import { MAX_TOKEN_CHARS } from "./signature.ts";
import {
  CLAIMS,
  createTokenSigners,
  describeEachAlgorithm,
  encodePart,
  setUpAuthTests,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const signers = await createTokenSigners();

describeEachAlgorithm(
  signers,
  ({ signer, alg, validToken, head, payload, signature, expectRejected, expectAccepted }) => {
    test("rejects other spellings of the same token", async () => {
      const spellings = [
        `${validToken}.`,
        `.${validToken}`,
        `${head}..${payload}.${signature}`,
        `${validToken}.${signature}`,
        `${head}.${payload}`,
        head,
        "",
        ".",
        "..",
        "...",
        "....",
        `${validToken}=`,
        `${validToken}==`,
        `${head}=.${payload}.${signature}`,
        `${head}.${payload}==.${signature}`,
        `${validToken} `,
        `${validToken}\n`,
        `${validToken}\t`,
        `${head} .${payload}.${signature}`,
        `${head}.${payload}.\r\n${signature}`,
        `${validToken}\0`,
        `${validToken}%00`,
        `${validToken},${validToken}`,
        `${validToken};`,
        `"${validToken}"`,
        validToken.toUpperCase(),
        encodeURIComponent(` ${validToken}`),
        `${head}.${payload}.${signature.slice(0, -1)}`,
        `${head}.${payload}.${signature}A`,
        JSON.stringify({ protected: head, payload, signature }),
        JSON.stringify({ payload, signatures: [{ protected: head, signature }] }),
      ];
      for (const spelling of spellings) await expectRejected(spelling);
      const standard = Buffer.from(signature, "base64url").toString("base64");
      await expectRejected(`${head}.${payload}.${standard}`);
    });

    test("rejects base64url with unused bits set, in each part", async () => {
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
      // A length of 3n + 1 bytes leaves four unused bits, so every part has some.
      const padded = signer.token(`{"alg":"${alg}"}`.padEnd(25), JSON.stringify(CLAIMS).padEnd(100));
      await expectAccepted(padded);
      let tried = 0;
      for (const [index, each] of padded.split(".").entries()) {
        if (each.length % 4 === 0) continue;
        const last = alphabet.indexOf(each.at(-1)!);
        const parts = padded.split(".");
        parts[index] = each.slice(0, -1) + alphabet[last + 1];
        await expectRejected(parts.join("."));
        // Also when the signature is over this spelling.
        if (index < 2)
          await expectRejected(
            `${parts[0]}.${parts[1]}.${signer.sign(`${parts[0]}.${parts[1]}`).toString("base64url")}`,
          );
        tried++;
      }
      expect(tried).toBe(3);
    });

    test("rejects a header or payload that is not a JSON object in UTF-8", async () => {
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
        await expectRejected(signer.token(header, CLAIMS));
      }
      await expectRejected(signer.token(bytes(`{"alg":"${alg}","x":"\xff"}`), CLAIMS));
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
        await expectRejected(signer.token({ alg }, body));
      }
      await expectRejected(signer.token({ alg }, bytes(`${claims.slice(0, -1)},"x":"\xc3\x28"}`)));
    });

    test("uses the last of several members with the same name, in both parts (RFC 7515 §4)", async () => {
      await expectAccepted(signer.token(`{"alg":"none","alg":"${alg}"}`, CLAIMS));
      await expectRejected(signer.token(`{"alg":"${alg}","alg":"none"}`, CLAIMS));
      await expectAccepted(signer.token({ alg }, `{"exp":1,"exp":${CLAIMS.exp}}`));
      await expectRejected(signer.token({ alg }, `{"exp":${CLAIMS.exp},"exp":1}`));
    });

    test("reads no members from the prototype", async () => {
      await expectRejected(signer.token({ alg }, `{"__proto__":{"exp":${CLAIMS.exp}}}`));
      await expectRejected(signer.token(`{"__proto__":{"alg":"${alg}"}}`, CLAIMS));
    });

    test("rejects tokens that are too long or nested too deep", async () => {
      const maxExtraChars = MAX_TOKEN_CHARS - validToken.length - 100;
      await expectAccepted(
        signer.token({ alg }, { ...CLAIMS, x: "x".repeat(Math.floor(maxExtraChars * 0.74)) }),
      );
      for (const length of [MAX_TOKEN_CHARS, 60_000, 1_000_000])
        await expectRejected(signer.token({ alg }, { ...CLAIMS, x: "x".repeat(length) }));
      const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
      await expectRejected(signer.token(`{"alg":"${alg}","x":${deep("[", "]", 500_000)}}`, CLAIMS));
      await expectRejected(`${encodePart(deep("[", "]", 2900))}.${payload}.${signature}`);
      await expectRejected(signer.token(`{"crit":${deep("[", "]", 2500)},"alg":"${alg}"}`, CLAIMS));
      await expectAccepted(signer.token({ alg }, `{"exp":${CLAIMS.exp},"x":${deep("[", "]", 2000)}}`));
    });
  },
);
