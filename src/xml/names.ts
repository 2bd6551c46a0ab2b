/** Names that the tokenizer recognizes without making strings of them. */

/** Maps a-z to 1-26, A-Z to 27-52, 0-9 to 53-62 and `_` to 63. Every other byte is 0. */
export const letterCode = new Uint8Array(256);
for (const [index, letter] of [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
].entries()) {
  letterCode[letter.charCodeAt(0)] = index + 1;
}

/** The node that no known name leads to. Every step from it stays there. */
export const NO_NODE = 0;
export const ROOT_NODE = 1;

/** A set of names in a byte trie. The symbol of a name is its index in the list. */
export class NameTable {
  /** `steps[node * 64 + letterCode]` is the next node. */
  readonly steps: Uint16Array;
  /** The symbol of the name that ends at a node; -1 for none. */
  readonly symbolOfNode: Int32Array;
  /** All names, each with a `>` behind it. The name that ends at a node begins at `nameStarts[node]`. */
  readonly nameView: DataView;
  readonly nameStarts: Int32Array;
  readonly nameLengths: Int32Array;
  readonly nodeCount: number;
  private readonly symbols: ReadonlyMap<string, number>;

  /** The names consist of ASCII letters, digits and `_`. */
  constructor(readonly names: readonly string[]) {
    const maxNodes = names.reduce((sum, name) => sum + name.length, 2);
    if (maxNodes > 0xffff) throw new Error("too many names");
    this.steps = new Uint16Array(maxNodes * 64);
    this.symbolOfNode = new Int32Array(maxNodes).fill(-1);
    this.nameStarts = new Int32Array(maxNodes);
    this.nameLengths = new Int32Array(maxNodes);
    // Nodes without a name point to a byte that UTF-8 does not have, so that no input matches.
    const nameBytes = [0xff, ...new TextEncoder().encode(names.map((name) => `${name}>`).join(""))];
    this.nameView = new DataView(Uint8Array.from(nameBytes).buffer);
    this.symbols = new Map(names.map((name, symbol) => [name, symbol]));
    let nodeCount = ROOT_NODE + 1;
    let nameStart = 1;
    for (const [symbol, name] of names.entries()) {
      let node = ROOT_NODE;
      for (let index = 0; index < name.length; index++) {
        const letter = letterCode[name.charCodeAt(index)] ?? 0;
        if (letter === 0) throw new Error(`"${name}" has characters that a known name cannot have`);
        const step = node * 64 + letter;
        if (this.steps[step] === NO_NODE) this.steps[step] = nodeCount++;
        node = this.steps[step]!;
      }
      this.symbolOfNode[node] = symbol;
      this.nameStarts[node] = nameStart;
      this.nameLengths[node] = name.length;
      nameStart += name.length + 1;
    }
    this.nodeCount = nodeCount;
  }

  /** Returns the symbol of a name, or -1. */
  symbolOf(name: string): number {
    return this.symbols.get(name) ?? -1;
  }

  /** Returns the node of a name, or NO_NODE. */
  nodeOf(name: string): number {
    const bytes = new TextEncoder().encode(name);
    return this.nodeAt(bytes, 0, bytes.length);
  }

  /** Returns the symbol of the name in these bytes, or -1. */
  symbolAt(input: Uint8Array, from: number, to: number): number {
    return this.symbolOfNode[this.nodeAt(input, from, to)]!;
  }

  /** Returns the node of the name in these bytes, or NO_NODE. */
  nodeAt(input: Uint8Array, from: number, to: number): number {
    const { steps } = this;
    let node = ROOT_NODE;
    for (let offset = from; offset < to; offset++) {
      const letter = letterCode[input[offset]!]!;
      if (letter === 0) return NO_NODE;
      node = steps[node * 64 + letter]!;
    }
    return this.symbolOfNode[node]! < 0 ? NO_NODE : node;
  }
}

/** Tells whether two ranges of `length` bytes are the same. Both must be inside their buffers. */
export function isSameBytes(
  first: DataView,
  firstStart: number,
  second: DataView,
  secondStart: number,
  length: number,
): boolean {
  if (length < 4) {
    for (let index = 0; index < length; index++) {
      if (first.getUint8(firstStart + index) !== second.getUint8(secondStart + index)) return false;
    }
    return true;
  }
  // Four bytes at once; the last four may overlap with those before them.
  const last = length - 4;
  for (let index = 0; index < last; index += 4) {
    if (first.getInt32(firstStart + index, true) !== second.getInt32(secondStart + index, true)) return false;
  }
  return first.getInt32(firstStart + last, true) === second.getInt32(secondStart + last, true);
}
