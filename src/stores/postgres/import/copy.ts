import type { ReservedSQL } from "bun";
import { HEADER, TRAILER } from "./copy-rows.ts";

interface Writer {
  write(rows: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** One COPY into a table. As long as it goes on, nothing else can be said on its connection. */
export class CopyStream {
  readonly #writer: Writer;

  private constructor(writer: Writer) {
    this.#writer = writer;
  }

  static async begin(connection: ReservedSQL, statement: string): Promise<CopyStream> {
    const copy = new CopyStream(connection.unsafe(statement).writable().getWriter());
    await copy.write(HEADER);
    return copy;
  }

  /** At the server's pace. What it refuses, it refuses with one of the next rows, or at the end. */
  async write(rows: Uint8Array): Promise<void> {
    await this.#writer.write(rows);
  }

  async end(): Promise<void> {
    await this.write(TRAILER);
    await this.#writer.close();
  }

  /** Nothing of it stays. */
  async stop(): Promise<void> {
    await this.#writer.abort();
  }
}
