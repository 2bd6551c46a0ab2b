import { CommandError } from "./usage.ts";

/** Standard output at the reader's pace: what is not taken is waited for, not piled up. */
export class Output {
  private parts: Uint8Array[] = [];

  constructor() {
    // Whoever writes is told: without this the process would end here, with a stack.
    process.stdout.on("error", () => {});
  }

  write(...bytes: Uint8Array[]): void {
    this.parts.push(...bytes);
  }

  async flush(): Promise<void> {
    if (this.parts.length === 0) return;
    const bytes = Buffer.concat(this.parts);
    this.parts = [];
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(refusal(error)) : resolve()));
    });
  }
}

/** A reader who has gone away has seen enough; a full disk is for a person to mend. */
function refusal(error: Error & { code?: string }): Error {
  return error.code === "EPIPE"
    ? error
    : new CommandError(`standard output cannot be written (${error.message})`);
}
