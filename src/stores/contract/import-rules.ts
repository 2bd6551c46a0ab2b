/** The rules of imports on an engine: the same tests as on a catalog in memory. */
import { describe } from "bun:test";
import { feedRules } from "../../catalog/testing/feed-rules.ts";
import { RuleCatalog } from "../../catalog/testing/rule-catalog.ts";
import { targetRules } from "../../catalog/testing/target-rules.ts";
import { updateRules } from "../../catalog/testing/update-rules.ts";
import type { DatabaseEngine } from "../testing/engine.ts";

export function importRulesContract(engine: DatabaseEngine): void {
  const open = async () => {
    const testStore = await engine.createStore();
    return new RuleCatalog(testStore.store, () => testStore[Symbol.asyncDispose]());
  };
  describe("which book is meant", () => targetRules(open));
  describe("updates", () => updateRules(open));
  describe("feeds", () => feedRules(open));
}
