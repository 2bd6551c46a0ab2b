/** The contract on SQLite, and the rules of imports: the same tests as on a catalog in memory. */
import { describe } from "bun:test";
import { feedRules } from "../../catalog/testing/feed-rules.ts";
import { ownerRules } from "../../catalog/testing/owner-rules.ts";
import { RuleCatalog } from "../../catalog/testing/rule-catalog.ts";
import { targetRules } from "../../catalog/testing/target-rules.ts";
import { updateRules } from "../../catalog/testing/update-rules.ts";
import { SQLITE } from "../testing/engines.ts";
import { storeContract } from "./contract.ts";

storeContract(SQLITE, process.env.FUZZ ? 500 : 15);

// The rules are above the store port. PostgreSQL, which passes the contract, cannot change them.
describe("rules of imports on sqlite", () => {
  const open = async () => {
    const testStore = await SQLITE.createStore();
    return new RuleCatalog(testStore.store, () => testStore[Symbol.asyncDispose]());
  };
  describe("which book is meant", () => targetRules(open));
  describe("updates", () => updateRules(open));
  describe("who may change a book", () => ownerRules(open));
  describe("feeds", () => feedRules(open));
});
