import { describe, expect, test } from "bun:test";
import { assessedProduct, complaint } from "../../catalog/quality/testing/complaints.ts";
import { emptyHeader } from "../../onix/reader/header-reader.ts";
import { renderPage } from "./html-page.ts";
import { CheckResult, formatCheckResult } from "./result-text.ts";

const HOSTILE = "<script>alert(1)</script>\"'&\u202e\u0000";

function checkResult(name: string): CheckResult {
  const found = new CheckResult();
  const header = emptyHeader({ release: "3.0", tags: "reference" });
  const products = [assessedProduct(["cover"]), assessedProduct()].map((product) => ({
    ...product,
    etag: "",
  }));
  found.addBatch({
    file: name,
    document: 1,
    header: { ...header, sender: { key: name, name } },
    products,
    complaints: [],
    bytesRead: 1,
  });
  found.addComplaint(
    complaint({
      kind: "unknown-element",
      file: name,
      reference: name,
      isbn: undefined,
      element: name,
      text: name,
    }),
  );
  found.addComplaint(complaint({ kind: "unknown-code", element: "ProductForm", value: name, text: name }));
  return found;
}

const page = (found: CheckResult) => renderPage({ checkResult: found, summary: HOSTILE, time: new Date(0) });

describe("renderPage", () => {
  test("escapes everything that comes from a feed", () => {
    const html = page(checkResult(HOSTILE));
    expect(html).not.toContain("<script");
    expect(html).not.toContain("\u202e");
    expect(html).not.toContain("\u0000");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\\u{202e}\\u{0}");
  });

  test("loads nothing and runs nothing", () => {
    const html = page(checkResult("feed.xml"));
    expect(html).not.toMatch(/<(?:script|link|img|iframe|object)|\bsrc=|\bon\w+=|@import|url\(/i);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test("shows the score, the criteria and the groups", () => {
    const html = page(checkResult("feed.xml"));
    expect(html).toContain('aria-label="Score: 95 of 100"');
    expect(html).toContain(
      "cover: missing in 1 of 2 products; send a SupportingResource of content type 01 or 03 and mode 03 with an http or https link",
    );
    expect(html).toContain('<span class="share heat-3">50%</span> <span class="quiet">1 of 2</span>');
    expect(html).toContain(
      '</span>feed.xml <code class="quiet">unknown-code: ProductForm &quot;feed.xml&quot;</code></summary>',
    );
  });

  test("is titled with the sender and the name of the file, and shows no folder", () => {
    const found = new CheckResult();
    const header = {
      ...emptyHeader({ release: "3.0", tags: "reference" }),
      sender: { key: "k", name: "Teapot" },
    };
    const file = "/srv/secret/feed.xml";
    const products = [{ ...assessedProduct(), etag: "" }];
    found.addBatch({ file, document: 1, header, products, complaints: [], bytesRead: 1 });
    for (const text of ["One.", "Two."]) found.addComplaint(complaint({ file, text }));
    const html = page(found);
    expect(html).toContain("<title>Teapot: feed.xml</title>");
    expect(html).toContain("<h1>Teapot: feed.xml</h1>");
    expect(html).not.toContain("secret");
    expect(html).toContain("</span>Such as: One. <code");
    expect(html).toContain("<li>Two. <code>feed.xml:1:1");
  });

  test("is rendered for a feed without complaints", () => {
    expect(page(new CheckResult())).toContain("<h2>Complaints</h2><p>None.</p>");
  });
});

describe("formatCheckResult", () => {
  test("returns groups with counts and places, and the score", () => {
    const { groups, quality } = checkResult("feed.xml");
    groups.add(
      complaint({
        kind: "unknown-code",
        element: "ProductForm",
        value: "feed.xml",
        text: "feed.xml",
        line: 9,
      }),
    );
    expect(formatCheckResult(groups, quality)).toEqual([
      "",
      "Complaints: 3, in 2 groups",
      '        2  unknown-code: ProductForm "feed.xml"',
      "           feed.xml",
      "           An advice.",
      "           at feed.xml:1:1 [9788437604947]",
      "           at feed.xml:9:1 [9788437604947]",
      "        1  unknown-element: feed.xml",
      "           feed.xml",
      "           An advice.",
      "           at feed.xml:1:1 [feed.xml]",
      "",
      "Score: 95 of 100 for feed.xml from feed.xml (2 products)",
      "  Identification                 100  ISBN 100%",
      "  Block 1: Product description   100  title 100%, contributor 100%, form 100%, language 100%, subject 100%, audience 100%",
      "  Block 2: Marketing collateral   75  description 100%, cover 50%",
      "  Block 4: Publishing detail     100  publisher 100%, publication date 100%, publishing status 100%",
      "  Block 6: Product supply        100  availability 100%, price 100%",
      "  Conformance                    100  no errors 100%",
      "  What would raise it most:",
      "     +4.5  cover: missing in 1 of 2 products; send a SupportingResource of content type 01 or 03 and mode 03 with an http or https link",
    ]);
  });

  test("escapes control characters", () => {
    const { groups, quality } = checkResult("feed\u001b[2J.xml");
    expect(formatCheckResult(groups, quality).join("\n")).not.toContain("\u001b");
  });

  test("says when there are more groups than it shows", () => {
    const found = new CheckResult();
    for (let index = 0; index < 30; index++) found.addComplaint(complaint({ element: `Element${index}` }));
    expect(formatCheckResult(found.groups, found.quality).at(-1)).toBe(
      "  … and 10 more complaints (--report lists all of them)",
    );
  });
});
