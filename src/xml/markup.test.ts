import { expect, test } from "bun:test";
import { escapeAttribute, escapeText } from "./markup.ts";

test("escapeText and escapeAttribute escape every character that XML would read differently", () => {
  expect(escapeText("a & <b> \r")).toBe("a &amp; &lt;b&gt; &#13;");
  expect(escapeAttribute('"\n\t')).toBe("&quot;&#10;&#9;");
});
