/** What every store must do, whatever its engine. `contract.test.ts` runs it on each. */
import { describe } from "bun:test";
import type { Inspection } from "../../catalog/inspection.ts";
import type { Store } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { damageContract } from "../contract/damage.ts";
import { importsContract } from "../contract/imports.ts";
import { imprintsContract } from "../contract/imprints.ts";
import { listsContract } from "../contract/lists.ts";
import { modelContract } from "../contract/model.ts";
import { viewsContract } from "../contract/snapshots.ts";
import { ledgerContract } from "../contract/tokens.ts";

export interface Engine {
  readonly name: string;
  /** Why it cannot run here, when it cannot. */
  readonly skipped?: string;
  /** A new and empty store. */
  createStore(): Promise<TestStore>;
}

/** A store, and what a test needs beside it. */
export interface TestStore extends AsyncDisposable {
  readonly store: Store;
  /** Opens the same store once more, as another process would. Closed with the shelf. */
  reopen(): Promise<Store>;
  /** Other bytes in the place of a record's, as a disk may come to give them. */
  overwriteBody(isbn: Isbn13, body: Uint8Array): Promise<void>;
  /** Behind the store's back. */
  runSql(sql: string): Promise<void>;
  inspect(): Promise<Inspection>;
}

export function contract(engine: Engine): void {
  describe.skipIf(engine.skipped !== undefined)(`${engine.name}${because(engine.skipped)}`, () => {
    describe("lists", () => listsContract(engine));
    describe("imprints", () => imprintsContract(engine));
    describe("views", () => viewsContract(engine));
    describe("imports", () => importsContract(engine));
    describe("model", () => modelContract(engine));
    describe("damage", () => damageContract(engine));
    describe("ledger", () => ledgerContract(engine));
  });
}

function because(reason: string | undefined): string {
  return reason === undefined ? "" : ` (skipped: ${reason})`;
}
