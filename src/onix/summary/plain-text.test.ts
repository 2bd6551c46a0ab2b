import { describe, expect, test } from "bun:test";
import { plainText } from "./plain-text.ts";

describe("plainText", () => {
  test.each([
    ["<p>One</p><p>Two</p>", "One\nTwo"],
    ["<p>One<br/>two<br>three</p>", "One\ntwo\nthree"],
    ["<div><p>One</p>\n\n<p>Two</p></div>", "One\nTwo"],
    ["<ul><li>One</li><li>Two</li></ul>", "One\nTwo"],
    ["<details><summary>One</summary>Two</details><center>Three</center>", "One\nTwo\nThree"],
    ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"],
  ])("writes blocks of %s as lines", (html, text) => expect(plainText(html)).toBe(text));

  test.each([
    ["<p>The <em>best</em>\n   <strong>book</strong></p>", "The best book"],
    ["Un<b>believ</b>able", "Unbelievable"],
    ["a<!-- <p>hidden</p> -->b", "ab"],
    ["<style>p{}</style><script>if (a<b) {}</script>Text", "Text"],
    ["<STYLE>p{}</style><head x='>'><title>t</title></HEAD>Text", "Text"],
    ['<p title="a > b">One</p><img alt=\'1 < 2 > "0"\'/> two', "One\ntwo"],
    ['<a href="x>One</a> "two" three"', 'One "two" three"'],
    ["<![CDATA[1 < 2 &amp; 3]]>", "1 < 2 &amp; 3"],
    ["<p>1 < 2 and 3 > 2</p>", "1 < 2 and 3 > 2"],
  ])("removes the markup of %s", (html, text) => expect(plainText(html)).toBe(text));

  test.each([
    ["Tom &amp; Jerry &eacute;&#233;&#xE9; &lt;b&gt;", "Tom & Jerry ééé <b>"],
    ["<p>A&nbsp;B &hellip; &unknown; AT&T &#0; &#x110000;</p>", "A\u00a0B … &unknown; AT&T &#0; &#x110000;"],
    ["&amp;lt;", "&lt;"],
    ["It&#146;s &#x93;so&#x0000094; &#0000233;", "It’s “so” é"],
  ])("decodes the entities of %s once", (html, text) => expect(plainText(html)).toBe(text));

  test("keeps the line feeds of text without markup, and at most one empty line", () => {
    expect(plainText("One \r\ntwo\n\n\n\nthree  ")).toBe("One\ntwo\n\nthree");
  });

  test("returns an empty string for markup without text", () => {
    expect(plainText("<p> </p><br/>")).toBe("");
  });

  test("takes time in proportion to the length of unfinished markup", () => {
    const parts = [
      ...["<!", "<script", "<!--", "<p", "<p a", " ", "&", "&#0", "0", "<![CDATA[", "\n ", "a"],
      ...["<x '\"", "<x =''='", "<x '", "<x '\"'\"", "<style>", '<x "<x \'<x ""\''],
    ];
    for (const part of parts) {
      const text = part.repeat(100_000);
      expect(plainText(`<p ${text}`)).toBeString();
      expect(plainText(`<p>${text}`)).toBeString();
    }
  });
});
