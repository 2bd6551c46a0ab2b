import { describe, expect, test } from "bun:test";
import { parseMetrics } from "./prometheus-parser.ts";

describe("parseMetrics throws on", () => {
  test.each([
    ["a missing line feed at the end", "# HELP a b\n# TYPE a gauge\na 1"],
    ["a missing TYPE", "# HELP a b\na 1\n"],
    ["a metric that is defined twice", "# HELP a b\n# TYPE a gauge\na 1\n".repeat(2)],
    ["a missing HELP", "# TYPE a gauge\na 1\n"],
    ["a sample of another metric", "# HELP a b\n# TYPE a gauge\nb 1\n"],
    ["a repeated sample", '# HELP a b\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ["a malformed label", '# HELP a b\n# TYPE a gauge\na{x="a"b"} 1\n'],
    ["a malformed value", "# HELP a b\n# TYPE a gauge\na Infinity\n"],
    ["a counter without _total", "# HELP a b\n# TYPE a counter\na 1\n"],
    [
      "a histogram whose buckets decrease",
      '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    ],
  ])("%s", (_, text) => {
    expect(() => parseMetrics(text)).toThrow();
  });
});
