/** The mirror of examples/mirror.ts as a process that tests kill, and the comparison of its file with the service. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { fetchAs } from "./process.ts";

const PROGRAM = join(import.meta.dir, "../examples/mirror.ts");

/** Few changes in a page, so that a kill is in the middle of many. */
const PAGE_LIMIT = 7;
const POLL_MS = 50;

export interface Service {
  readonly url: string;
  readonly token: string;
}

export class Mirror {
  readonly file: string;
  #service: Service;
  #child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  #errors = "";
  /** The lines of the last process. */
  #lines: string[] = [];
  /** The loads that began anew. */
  reloads = 0;

  constructor(file: string, service: Service) {
    this.file = file;
    this.#service = service;
  }

  /** Follows another service of the same catalog from the next start on. */
  moveTo(service: Service): void {
    this.#service = service;
  }

  start(): void {
    const { url, token } = this.#service;
    const child = Bun.spawn([process.execPath, PROGRAM, url, this.file], {
      env: {
        ...process.env,
        COLOPHON_TOKEN: token,
        MIRROR_LIMIT: String(PAGE_LIMIT),
        MIRROR_POLL_MS: String(POLL_MS),
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#child = child;
    this.#lines = [];
    void this.#readLines(child);
    void new Response(child.stderr).text().then((text) => {
      this.#errors = text;
    });
  }

  /** Waits for so many pages of this process, or until it is up to date, and sends SIGKILL. */
  async killAfter(pages: number): Promise<void> {
    await waitFor(`the mirror has read ${pages} pages`, () => {
      this.#requireRunning();
      return this.#lines.length >= pages || this.#lines.at(-1)?.endsWith("up to date") === true;
    });
    await this.kill();
  }

  /** The last saved cursor. */
  get cursor(): string | null {
    using db = new Database(this.file);
    return db.prepare<{ cursor: string | null }, []>("SELECT cursor FROM state").get()!.cursor;
  }

  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
    this.#child = undefined;
  }

  /** Waits until the file has the bytes of the service. Throws with the difference when that takes too long. */
  async waitUntilEqual(): Promise<void> {
    if (!this.#child) this.start();
    let difference = "";
    try {
      await waitFor("the mirror equals the catalog", async () => {
        this.#requireRunning();
        difference = await this.#difference();
        return difference === "";
      });
    } catch (error) {
      throw new Error(`${(error as Error).message}: ${difference}; ${this.#lines.slice(-5).join("; ")}`);
    }
  }

  /** Returns the first difference; empty when there is none. */
  async #difference(): Promise<string> {
    const isbns = (await (await this.#get("/api/skus")).json()) as string[];
    const books = this.#readBooks();
    if (books.size !== isbns.length) return `${books.size} books instead of ${isbns.length}`;
    for (const isbn of isbns) {
      const record = await (await this.#get(`/api/isbn/${isbn}`)).text();
      if (books.get(isbn) !== record) return `${isbn} is ${books.get(isbn)} instead of ${record}`;
    }
    return "";
  }

  #readBooks(): ReadonlyMap<string, string> {
    using db = new Database(this.file);
    db.run("PRAGMA busy_timeout = 5000");
    const rows = db.prepare<{ isbn: string; record: string }, []>("SELECT isbn, record FROM book").all();
    return new Map(rows.map(({ isbn, record }) => [isbn, record]));
  }

  async #get(path: string): Promise<Response> {
    const { url, token } = this.#service;
    return await fetchAs(token, url + path);
  }

  #requireRunning(): void {
    if (this.#child?.exitCode !== null) throw new Error(`The mirror has ended: ${this.#errors}`);
  }

  async #readLines(child: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<void> {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = text.split("\n").filter(Boolean);
      this.#lines.push(...lines);
      this.reloads += lines.filter((line) => line === "load anew").length;
    }
  }
}
