/** The elements that are open: where their names are in the input, and what they mean. */
import { utf8Text } from "./references.ts";

/** Where a later chunk of a document begins: inside the root element, between its children. Plain data. */
export interface DocumentContext {
  /** With its prefix. */
  readonly rootName: string;
  /** Those in scope in the root element. The default namespace has an empty prefix. */
  readonly namespaces: readonly (readonly [prefix: string, uri: string])[];
}

/** Elements may be nested this deep. Real feeds stay far below it. */
export const MAX_DEPTH = 100;

/** A length that no name has, so that no end tag matches it in the fast comparison. */
const NOT_IN_INPUT = 0x3fff_ffff;

/** Members of an open element, by their offsets in the array. One array for all is faster than one per member. */
export const NAME_START = 0;
/** The number of bytes of the qualified name. */
export const NAME_LENGTH = 1;
/** The number of bytes of the prefix with its colon. */
export const PREFIX_LENGTH = 2;
/** The node of the local name in the table of names. */
export const NODE = 3;
export const NAMESPACE = 4;
export const MEMBERS = 5;

export class OpenElements {
  depth = 0;
  /** The root element is open, or has been. */
  hasRoot = false;
  /** `members[index * MEMBERS + NODE]` is the node of an element; 0 is the index of the root. */
  readonly members = new Int32Array(MAX_DEPTH * MEMBERS);
  /** The qualified name of a root element that an earlier chunk has opened. */
  private rootName: string | undefined;

  /** Begins a chunk, inside the root element when its name is given. */
  begin(rootName: string | undefined, rootNamespace: number, rootNode: number): void {
    this.depth = 0;
    this.rootName = rootName;
    this.hasRoot = rootName !== undefined;
    if (rootName === undefined) return;
    this.members.set([0, NOT_IN_INPUT, rootName.indexOf(":") + 1, rootNode, rootNamespace]);
    this.depth = 1;
  }

  /** Returns the qualified name of the innermost open element. There must be one. */
  innermostName(input: Uint8Array): string {
    const { members, depth, rootName } = this;
    if (depth === 1 && rootName !== undefined) return rootName;
    const top = (depth - 1) * MEMBERS;
    const from = members[top + NAME_START]!;
    return utf8Text(input, from, from + members[top + NAME_LENGTH]!);
  }
}
