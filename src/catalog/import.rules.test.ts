/** The rules of imports on a catalog in memory. `src/stores/contract` tests them on each engine. */
import { describe } from "bun:test";
import { feedRules } from "./testing/feed-rules.ts";
import { MemoryCatalog } from "./testing/memory-catalog.ts";
import { ownerRules } from "./testing/owner-rules.ts";
import { RuleCatalog } from "./testing/rule-catalog.ts";
import { targetRules } from "./testing/target-rules.ts";
import { updateRules } from "./testing/update-rules.ts";

const open = async () => new RuleCatalog(new MemoryCatalog());

describe("which book is meant", () => targetRules(open));
describe("updates", () => updateRules(open));
describe("who may change a book", () => ownerRules(open));
describe("feeds", () => feedRules(open));
