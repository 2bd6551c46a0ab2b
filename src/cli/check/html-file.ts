import { closeSync, openSync, writeFileSync } from "node:fs";
import { CommandError } from "../exit.ts";

/** The file of `--html`. It is opened before the check, which may take minutes, so that a wrong path is noticed. */
export class HtmlFile {
  private readonly descriptor: number;

  constructor(private readonly path: string) {
    this.descriptor = this.orFail(() => openSync(path, "w"));
  }

  write(page: string): void {
    this.orFail(() => {
      writeFileSync(this.descriptor, page);
      closeSync(this.descriptor);
    });
  }

  private orFail<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new CommandError(`the page ${this.path} cannot be written (${(error as Error).message})`);
    }
  }
}
