/** A catalog that an import changes from one of two states to the other. Any mix of both is an error. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../../src/onix/testing/message.ts";
import { openSqlite } from "../../src/stores/sqlite/store.ts";
import { numberedIsbn } from "../during-tests.ts";
import { colophon } from "../in-process.ts";
import { fetchAs, temporaryFolder } from "../process.ts";
import { repetitions } from "./fault-report.ts";

/** An import of a thousand takes three times the processor time of one of two hundred. */
export const BOOK_COUNT = repetitions(200, 1000);
/** The number as commands print it. */
export const BOOK_COUNT_TEXT = BOOK_COUNT.toLocaleString("en-US");
/** The pause of a reader between two lists, so that it does not take all processor time. */
export const READER_PAUSE_MS = 50;

export interface TwoStateCatalog {
  readonly folder: string;
  readonly db: string;
  /** `feeds[n]` leads to state n. */
  readonly feeds: readonly [string, string];
  /** A valid token in both states. */
  readonly token: string;
  /** Opens the file and returns its state. Throws when it is in neither. */
  storedState(db?: string): Promise<0 | 1>;
  /** Reads a whole list from a server and returns its state. Throws when it is a mix or incomplete. */
  servedState(url: string, signal?: AbortSignal): Promise<0 | 1>;
}

interface Original {
  /** The names of the catalog and the feeds are the same in each copy. */
  readonly folder: string;
  /** The revisions of both states. */
  readonly revisions: readonly string[];
  readonly token: string;
}

let original: Promise<Original> | undefined;

/** Makes the files of a catalog in state 0. They are copied for each test file, and deleted with the process. */
async function createOriginal(): Promise<Original> {
  const folder = temporaryFolder();
  const { db, feeds } = pathsIn(folder);
  feeds.forEach((path, state) => {
    const books = Array.from({ length: BOOK_COUNT }, (_, number) => bookXml(number, state));
    writeFileSync(path, message(...books));
  });
  const revisions: string[] = [];
  for (const feed of [feeds[1], feeds[0]]) {
    await colophon(["import", "--db", db, feed]);
    revisions.unshift(await readRevision(db));
  }
  const token = (await colophon(["token", "--name", "Faults", "--db", db])).stdout.trim();
  return { folder, revisions, token };
}

function pathsIn(folder: string) {
  const feeds = [join(folder, "0.xml"), join(folder, "1.xml")] as const;
  return { db: join(folder, "catalog.db"), feeds };
}

export async function createTwoStateCatalog(): Promise<TwoStateCatalog> {
  original ??= createOriginal();
  const { folder: originals, revisions, token } = await original;
  const folder = temporaryFolder();
  // The file -owner names the inode of its catalog.
  cpSync(originals, folder, { recursive: true, filter: (path) => !/-(owner|shm|wal)$/.test(path) });
  const { db, feeds } = pathsIn(folder);
  const stateOf = (found: string, states: readonly string[]): 0 | 1 => {
    const state = states.indexOf(found);
    if (state !== 0 && state !== 1) throw new Error(`The catalog is in a third state: ${found}`);
    return state;
  };
  return {
    folder,
    db,
    feeds,
    token,
    storedState: async (path = db) => stateOf(await readRevision(path), revisions),
    async servedState(url, signal) {
      const response = await fetchAs(token, `${url}/api/imprint/sello`, { ...(signal && { signal }) });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      const list = (await response.json()) as ListedBook[];
      const titles = new Set(
        list.map((record) => record.DescriptiveDetail.TitleDetail.TitleElement.TitleText),
      );
      return stateOf(`${list.length} ${[...titles]}`, [`${BOOK_COUNT} State 0`, `${BOOK_COUNT} State 1`]);
    },
  };
}

interface ListedBook {
  readonly DescriptiveDetail: {
    readonly TitleDetail: { readonly TitleElement: { readonly TitleText: string } };
  };
}

function bookXml(number: number, state: number): string {
  const text = `<Text>${"x".repeat(800)}</Text>`;
  return product({ isbn: numberedIsbn(number), title: `State ${state}`, imprint: "Sello", text });
}

async function readRevision(db: string): Promise<string> {
  const store = openSqlite(db, { create: false });
  try {
    return (await store.stats()).revision;
  } finally {
    await store.close();
  }
}
