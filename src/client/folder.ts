/** A mirror in a folder: one JSON file per book, for Node, Bun and Deno. */
import type { Change } from "./changes.ts";
import type { MirrorState, MirrorTarget } from "./mirror.ts";

/** The cursor. */
const STATE_FILE = "mirror.json";
/** Marks by its time when the running load began. */
const LOAD_FILE = "load-began";

/**
 * Books are files such as `019/9789999923019.json`, in folders by the last three digits, so that no folder gets too
 * many. A file is written beside its place and then renamed, so that a reader sees the old or the new book.
 */
export class FolderTarget<Book> implements MirrorTarget<Book> {
  constructor(private readonly folder: string) {}

  async state(): Promise<MirrorState | undefined> {
    const { readFile } = await files();
    try {
      return JSON.parse(await readFile(`${this.folder}/${STATE_FILE}`, "utf8")) as MirrorState;
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async loadBegins(): Promise<void> {
    const { rm } = await files();
    await rm(`${this.folder}/${STATE_FILE}`, { force: true });
    await this.#write(LOAD_FILE, "");
  }

  async apply(changes: readonly Change<Book>[], state: MirrorState): Promise<void> {
    const { rm } = await files();
    for (const { isbn, change, book } of changes) {
      if (!/^[0-9]{13}$/.test(isbn)) throw new TypeError(`Not an ISBN: ${isbn}`);
      if (change === "deleted") await rm(`${this.folder}/${pathOf(isbn)}`, { force: true });
      else await this.#write(pathOf(isbn), JSON.stringify(book));
    }
    await this.#write(STATE_FILE, JSON.stringify(state));
  }

  /** A file that is older than the load is a book that the load has not brought. */
  async loadEnds(state: MirrorState): Promise<void> {
    const { readdir, rm, stat } = await files();
    const { mtimeMs } = await stat(`${this.folder}/${LOAD_FILE}`);
    for (const part of await readdir(this.folder)) {
      if (!/^[0-9]{3}$/.test(part)) continue;
      for (const name of await readdir(`${this.folder}/${part}`)) {
        const file = `${this.folder}/${part}/${name}`;
        if (name.endsWith(".new") || (await stat(file)).mtimeMs < mtimeMs) await rm(file);
      }
    }
    await this.#write(STATE_FILE, JSON.stringify(state));
  }

  async #write(path: string, text: string): Promise<void> {
    const { mkdir, rename, writeFile } = await files();
    const place = `${this.folder}/${path}`;
    await mkdir(place.slice(0, place.lastIndexOf("/")), { recursive: true });
    await writeFile(`${place}.new`, text);
    await rename(`${place}.new`, place);
  }
}

function pathOf(isbn: string): string {
  return `${isbn.slice(-3)}/${isbn}.json`;
}

/** The module exists outside of browsers only. A variable keeps bundlers from resolving it. */
function files(): Promise<typeof import("node:fs/promises")> {
  const name = "node:fs/promises";
  return import(/* @vite-ignore */ name);
}
