/** The questions that a correction asks. `src/stores/contract/search/corrections.ts` has what it finds. */
import { expect, test } from "bun:test";
import type { SearchQuery } from "../search/query.ts";
import { queryText } from "../search/query.ts";
import { parseQuery } from "../search/query-parser.ts";
import { correct } from "./correction.ts";
import { WordList } from "./word-list.ts";

/** Corrects a query. `found` are the queries that find books. Returns what was counted, with the limits. */
function correctionOf(text: string, found: readonly string[], listed: string) {
  const counted: [query: string, limit: number][] = [];
  const count = (query: SearchQuery, limit: number) => {
    const terms = query.terms.map((term) =>
      term.kind === "field" ? `${term.word}:` : queryText({ ...query, terms: [term] }),
    );
    counted.push([terms.join(" "), limit]);
    return found.includes(terms.join(" ")) ? 1 : 0;
  };
  const asking = correct(parseQuery(text)!, new WordList());
  for (let step = asking.next(); ; ) {
    if (step.done) return { corrected: step.value && queryText(step.value), counted };
    const question = step.value;
    if (question.kind === "pause") step = asking.next(undefined);
    else if (question.kind === "count")
      step = asking.next(question.queries.map((query) => count(query, question.limit)));
    else {
      const isFirst = "after" in question.start && question.start.after === "";
      step = asking.next({ words: isFirst ? listed : "", lastId: 1, maxId: 1, maxWord: listed });
    }
  }
}

test("the books of a single replacement are looked for, and not counted", () => {
  const { corrected, counted } = correctionOf("common wrogn", ["common", "common wrong:"], "wrong");
  expect(corrected).toBe("common wrong");
  expect(counted).toContainEqual(["common wrong:", 1]);
  const two = correctionOf("common wrogn", ["common", "common wrong:"], "grogn wrong");
  expect(two.counted).toContainEqual(["common wrong:", 1000]);
});

test("a common word is no beginning beside a word that is none", () => {
  const { corrected, counted } = correctionOf("common wrogn", ["common"], "wrong");
  const texts = counted.map(([query]) => query);
  expect(corrected).toBeUndefined();
  expect(texts).toContain("wrogn*");
  expect(texts.filter((query) => query.includes("common*"))).toEqual([]);
  const begun = correctionOf("common wrogn", ["common", "wrogn*", "common* wrogn*"], "wrong");
  expect(begun.corrected).toBe("common* wrogn*");
});
