/** A correction in memory, for tests: the rules with answers from plain loops over the books. */
import { searchDocumentOfEntry } from "../entry.ts";
import type { SearchQuery } from "../search/query.ts";
import { correct } from "../spelling/correction.ts";
import { NewWords } from "../spelling/new-words.ts";
import type { Question, ReadWords } from "../spelling/questions.ts";
import { WordList } from "../spelling/word-list.ts";
import type { Entry } from "../store.ts";
import { searchModel } from "./search-model.ts";

export function correctionModel(entries: readonly Entry[], query: SearchQuery): SearchQuery | undefined {
  const asking = correct(query, new WordList());
  for (let step = asking.next(); ; ) {
    if (step.done) return step.value;
    step = asking.next(answer(entries, step.value));
  }
}

function answer(entries: readonly Entry[], question: Question): readonly number[] | ReadWords | undefined {
  if (question.kind === "pause") return undefined;
  if (question.kind === "count")
    return question.queries.map((query) => {
      const { keys } = searchModel(entries, { query, filters: {}, sort: "newest", limit: question.limit });
      return keys.length;
    });
  const collected = new NewWords();
  for (const entry of entries) collected.add(searchDocumentOfEntry(entry));
  const { after } = question;
  const words = collected.take().filter((word) => "word" in after && word > after.word);
  return { words: words.toSorted().join(" "), lastId: 1, maxId: 1 };
}
