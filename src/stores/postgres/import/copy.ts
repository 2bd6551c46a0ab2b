import type { SQL } from "bun";
import { HEADER, TRAILER } from "./copy-rows.ts";

interface Writer {
  write(rows: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** A COPY into a table. Until it ends, its connection cannot run another statement. */
export class CopyStream {
  readonly #writer: Writer;

  private constructor(writer: Writer) {
    this.#writer = writer;
  }

  static async begin(connection: SQL, statement: string): Promise<CopyStream> {
    const copy = new CopyStream(connection.unsafe(statement).writable().getWriter());
    await copy.write(HEADER);
    return copy;
  }

  /** Writes rows at the server's pace. An error of the server rejects one of the next writes, or the end. */
  async write(rows: Uint8Array): Promise<void> {
    await this.#writer.write(rows);
  }

  async end(): Promise<void> {
    await this.write(TRAILER);
    await this.#writer.close();
  }

  /** Ends the COPY and discards its rows. */
  async abort(): Promise<void> {
    await this.#writer.abort();
  }
}

/** Runs a whole COPY. */
export async function copyRows(connection: SQL, statement: string, rows: Uint8Array): Promise<void> {
  const stream = await CopyStream.begin(connection, statement);
  await stream.write(rows);
  await stream.end();
}
