/** The prefix of the last element and its namespace. Feeds with prefixes use the same one for all elements. */
import type { Attributes } from "./attributes.ts";
import type { Cursor } from "./cursor.ts";
import { NO_NAMESPACE, XMLNS_NAMESPACE } from "./namespaces.ts";

export class ElementPrefix {
  /** The number of bytes with the colon; 0 when there is none. */
  length = 0;
  namespace = NO_NAMESPACE;
  private start = 0;

  constructor(
    private readonly cursor: Cursor,
    private readonly attributes: Attributes,
  ) {}

  /** The namespaces in scope have changed. */
  forget(): void {
    this.length = 0;
  }

  /** Tells whether the name at `offset` begins with this prefix. */
  matches(offset: number): boolean {
    const { input, end } = this.cursor;
    const { start, length } = this;
    if (offset + length >= end) return false;
    for (let index = 0; index < length; index++) {
      if (input[offset + index] !== input[start + index]) return false;
    }
    return true;
  }

  /** Resolves the prefix of the name from `start` to `nameEnd`. The local name begins at `nameStart`. */
  resolve(start: number, nameStart: number, nameEnd: number): void {
    const { attributes, cursor } = this;
    attributes.checkQualifiedName(start, nameStart - 1, nameEnd);
    const id = attributes.resolvePrefix(start, nameStart - 1);
    if (id === XMLNS_NAMESPACE) cursor.rejectToken('not well-formed: tags may not have "xmlns" as prefix');
    this.start = start;
    this.length = nameStart - start;
    this.namespace = id;
  }
}
