import { CommandError } from "./arguments.ts";

/** Writes standard output at the pace of its reader: a flush waits until everything is written. */
export class StandardOutput {
  private chunks: Uint8Array[] = [];

  constructor() {
    // Without a listener, an error would end the process with a stack trace. `flush` reports it.
    process.stdout.on("error", () => {});
  }

  write(...chunks: Uint8Array[]): void {
    this.chunks.push(...chunks);
  }

  async flush(): Promise<void> {
    if (this.chunks.length === 0) return;
    const bytes = Buffer.concat(this.chunks);
    this.chunks = [];
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(writeError(error)) : resolve()));
    });
  }
}

let output: StandardOutput | undefined;

/** Prints a result. Unlike `console.log`, it fails when nobody gets it, as on a full disk. */
export async function print(text: string): Promise<void> {
  output ??= new StandardOutput();
  output.write(Buffer.from(`${text}\n`));
  await output.flush();
}

/** EPIPE stays as it is: `main` ignores a reader that has closed the pipe. */
function writeError(error: Error & { code?: string }): Error {
  return error.code === "EPIPE"
    ? error
    : new CommandError(`standard output cannot be written (${error.message})`);
}
