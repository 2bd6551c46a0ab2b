/** Reads the chunks that `UndoWriter` has written. */
import { bufferOf } from "../../lib/text.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { StoreError } from "../store-errors.ts";
import type { UndoStep } from "./undo-step.ts";
import { ISBN_BYTES, STEP_CODES } from "./undo-writer.ts";

/** Returns the steps of a chunk, the last one first. Throws `StoreError` when the chunk is damaged. */
export function readUndoSteps(chunk: Uint8Array): UndoStep[] {
  const stored = bufferOf(chunk);
  const compressed = stored.subarray(4);
  if (stored.length < 4 || stored.readUInt32LE() !== Bun.hash.crc32(compressed)) {
    throw new StoreError("What was kept to undo the import is damaged; import a complete feed instead.");
  }
  const reader = new StepReader(Bun.zstdDecompressSync(compressed));
  const steps: UndoStep[] = [];
  while (!reader.isAtEnd) steps.push(reader.step());
  return steps.reverse();
}

class StepReader {
  #offset = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.#offset === this.bytes.length;
  }

  step(): UndoStep {
    const code = this.bytes[this.#offset++];
    if (code === STEP_CODES.message) {
      return { kind: "message", sender: this.#text(), mark: JSON.parse(this.#text()) };
    }
    const isbn = String(this.bytes.readUIntLE(this.#offset, ISBN_BYTES)).padStart(13, "0") as Isbn13;
    this.#offset += ISBN_BYTES;
    if (code === STEP_CODES.added) return { kind: "added", isbn };
    const [head, tail] = [this.#number(), this.#number()];
    const [sender, reference, origin] = [this.#text(), this.#text(), this.#text()];
    const kind = code === STEP_CODES.removed ? "removed" : "replaced";
    return { kind, isbn, sender, reference, origin, head, tail, middle: this.#slice() };
  }

  #number(): number {
    this.#offset += 4;
    return this.bytes.readUInt32LE(this.#offset - 4);
  }

  #slice(): Buffer {
    const length = this.#number();
    this.#offset += length;
    return this.bytes.subarray(this.#offset - length, this.#offset);
  }

  #text(): string {
    return this.#slice().toString("utf8");
  }
}
