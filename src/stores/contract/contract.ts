/**
 * The tests of the store port: every store must behave in the same way. Each engine has a test file, so that processes
 * share them.
 */
import { describe } from "bun:test";
import type { DatabaseEngine } from "../testing/engines.ts";
import { changesContract } from "./changes.ts";
import { damageContract } from "./damage.ts";
import { editionsContract } from "./editions.ts";
import { importHistoryContract } from "./import-history.ts";
import { importRunsContract } from "./import-runs.ts";
import { importStepsContract } from "./import-steps.ts";
import { importsContract } from "./imports.ts";
import { imprintsContract } from "./imprints.ts";
import { listsContract } from "./lists.ts";
import { modelContract } from "./model.ts";
import { pagesContract } from "./pages.ts";
import { correctionContract } from "./search/corrections.ts";
import { qualityContract } from "./search/quality.ts";
import { searchContract } from "./search/search.ts";
import { searchModelContract } from "./search/search-model.ts";
import { searchSharingContract } from "./search/sharing.ts";
import { selectedEntriesContract } from "./selected-entries.ts";
import { snapshotsContract } from "./snapshots.ts";
import { subjectsContract } from "./subjects.ts";
import { summariesContract } from "./summaries.ts";
import { tokensContract } from "./tokens.ts";
import { undoContract } from "./undo.ts";

/** `numRuns` is the number of runs of properties. `FUZZ=1` has many. */
export function storeContract(engine: DatabaseEngine, numRuns: number): void {
  readingContract(engine, numRuns);
  describe(engine.name, () => {
    describe("imports", () => importsContract(engine));
    describe("steps of an import", () => importStepsContract(engine, (store) => store.beginImport()));
    describe("steps of a preview", () => importStepsContract(engine, (store) => store.beginPreview()));
    describe("undo", () => undoContract(engine, Math.ceil(numRuns / 2)));
    describe("damage", () => damageContract(engine));
    describe("search", () => searchContract(engine));
    describe("corrections", () => correctionContract(engine, numRuns));
    describe("search beside a model", () => searchModelContract(engine, numRuns));
    describe("searches of several clients", () => searchSharingContract(engine));
    describe("quality", () => qualityContract(engine));
    describe("subjects", () => subjectsContract(engine));
    describe("tokens", () => tokensContract(engine));
  });
}

/** The tests of what a store may return with or without a promise. */
export function readingContract(engine: DatabaseEngine, numRuns: number): void {
  describe(engine.name, () => {
    describe("lists", () => listsContract(engine));
    describe("selected entries", () => selectedEntriesContract(engine));
    describe("pages", () => pagesContract(engine, numRuns));
    describe("changes", () => changesContract(engine, numRuns));
    describe("imprints", () => imprintsContract(engine));
    describe("snapshots", () => snapshotsContract(engine));
    describe("import runs", () => importRunsContract(engine));
    describe("import history", () => importHistoryContract(engine));
    describe("model", () => modelContract(engine, numRuns));
    describe("summaries", () => summariesContract(engine));
    describe("editions", () => editionsContract(engine, numRuns));
  });
}
