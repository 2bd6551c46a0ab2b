/** A catalog that an import turns from one of two states into the other: whatever is seen is one of them, whole. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { completeIsbn13 } from "../../src/onix/isbn.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { colophon, temporaryFolder } from "../process.ts";

export const BOOK_COUNT = 1500;

export interface TwoStateCatalog {
  readonly folder: string;
  readonly db: string;
  /** `feeds[n]` makes the state n. */
  readonly feeds: readonly [string, string];
  /** A token that holds, whatever becomes of the catalog. */
  readonly token: string;
  /** Which state the catalog is in, as a process says that opens it now. Throws when it is neither. */
  storedState(db?: string): Promise<0 | 1>;
  /** Which state a server shows in a whole list. Throws when it is neither, or a mix, or lacks a book. */
  servedState(url: string, signal?: AbortSignal): Promise<0 | 1>;
  remove(): void;
}

export async function createTwoStateCatalog(): Promise<TwoStateCatalog> {
  const { path: folder, remove } = temporaryFolder();
  const db = join(folder, "catalog.db");
  const feeds = [join(folder, "0.xml"), join(folder, "1.xml")] as const;
  feeds.forEach((path, at) => {
    const books = Array.from({ length: BOOK_COUNT }, (_, number) => bookOf(number, at));
    writeFileSync(path, message(...books));
  });
  const revisions: string[] = [];
  for (const feed of [feeds[1], feeds[0]]) {
    await colophon(["import", "--db", db, feed]);
    revisions.unshift(await revisionOf(db));
  }
  const token = (await colophon(["token", "--name", "Faults", "--db", db])).stdout.trim();
  const stateOf = (text: string, known: readonly string[]): 0 | 1 => {
    const at = known.indexOf(text);
    if (at !== 0 && at !== 1) throw new Error(`The catalog is in a third state: ${text}`);
    return at;
  };
  return {
    folder,
    db,
    feeds,
    token,
    storedState: async (path = db) => stateOf(await revisionOf(path), revisions),
    async servedState(url, signal) {
      const response = await fetch(`${url}/api/imprint/sello`, {
        headers: { Authorization: `Bearer ${token}` },
        ...(signal && { signal }),
      });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      const list = (await response.json()) as Listed[];
      const titles = new Set(
        list.map((record) => record.DescriptiveDetail.TitleDetail.TitleElement.TitleText),
      );
      return stateOf(`${list.length} ${[...titles]}`, [`${BOOK_COUNT} State 0`, `${BOOK_COUNT} State 1`]);
    },
    remove,
  };
}

interface Listed {
  readonly DescriptiveDetail: {
    readonly TitleDetail: { readonly TitleElement: { readonly TitleText: string } };
  };
}

function bookOf(number: number, state: number): string {
  const text = `<Text>${"x".repeat(800)}</Text>`;
  return product({ isbn: isbnOf(number), title: `State ${state}`, imprint: "Sello", text });
}

export function isbnOf(number: number): string {
  return completeIsbn13(`97912${String(number).padStart(7, "0")}`);
}

async function revisionOf(db: string): Promise<string> {
  const { stdout, stderr } = await colophon(["stats", "--json", "--db", db]);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).revision;
}
