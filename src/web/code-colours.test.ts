import { expect, test } from "bun:test";
import { colouredCode } from "./code-colours.ts";

const colours = (language: string, code: string) =>
  [
    ...colouredCode(`<pre><code class="language-${language}">${code}</code></pre>`).matchAll(
      /code-(\w+)">(.*?)<\/span>/gs,
    ),
  ].map(([, kind, text]) => `${kind} ${text}`);

test.each([
  [
    "sh",
    "curl -H &quot;A: $T&quot; http://h/#a # why",
    ["keyword curl", "string &quot;A: $T&quot;", "comment # why"],
  ],
  [
    "json",
    "{ &quot;a&quot;: &quot;b\\&quot;c&quot;, &quot;n&quot;: -1.5 }",
    ["key &quot;a&quot;", "string &quot;b\\&quot;c&quot;", "key &quot;n&quot;", "number -1.5"],
  ],
  [
    "ts",
    "const a = &quot;const&quot;; // const",
    ["keyword const", "string &quot;const&quot;", "comment // const"],
  ],
  ["python", "print('a') # b", ["keyword print", "string 'a'", "comment # b"]],
  ["xml", "&lt;a b=&quot;c&quot;&gt;", ["keyword &lt;a", "string &quot;c&quot;", "keyword &gt;"]],
  ["text", "const", []],
])("colours %s", (language, code, expected) => {
  expect(colours(language, code)).toEqual(expected);
});

test("changes no text", () => {
  const html =
    '<p>"const"</p><pre tabindex="0"><code class="language-sh example">curl "a" # b\n</code></pre>';
  expect(colouredCode(html).replace(/<\/?span[^>]*>/g, "")).toBe(html);
});
