/** The elements that are open: where their names are in the input, and what they mean. */
import { utf8Text } from "./references.ts";

/** Elements may be nested this deep. Real feeds stay far below it. */
export const MAX_DEPTH = 100;

/** A length that no name has, so that no end tag matches it in the fast comparison. */
const NOT_IN_INPUT = 0x3fff_ffff;

export class OpenElements {
  depth = 0;
  /** The offset of the qualified name in the input, and the number of its bytes. */
  readonly nameStart = new Int32Array(MAX_DEPTH);
  readonly nameLength = new Int32Array(MAX_DEPTH);
  /** The number of bytes of the prefix with its colon. */
  readonly prefixLength = new Int32Array(MAX_DEPTH);
  /** The node of the local name in the table of names. */
  readonly node = new Int32Array(MAX_DEPTH);
  readonly namespace = new Int32Array(MAX_DEPTH);
  /** The qualified name of a root element that an earlier chunk has opened. */
  private rootName: string | undefined;

  /** Begins a chunk, inside the root element when its name is given. */
  begin(rootName: string | undefined, rootNamespace: number, rootNode: number): void {
    this.depth = 0;
    this.rootName = rootName;
    if (rootName === undefined) return;
    this.nameStart[0] = 0;
    this.nameLength[0] = NOT_IN_INPUT;
    this.prefixLength[0] = rootName.indexOf(":") + 1;
    this.node[0] = rootNode;
    this.namespace[0] = rootNamespace;
    this.depth = 1;
  }

  /** Returns the qualified name of the innermost open element. There must be one. */
  innermostName(input: Uint8Array): string {
    const top = this.depth - 1;
    const from = this.nameStart[top]!;
    return top === 0 && this.rootName !== undefined
      ? this.rootName
      : utf8Text(input, from, from + this.nameLength[top]!);
  }
}
