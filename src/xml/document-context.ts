/** Where a later chunk of a document begins: inside the root element, between its children. Plain data. */
export interface DocumentContext {
  /** With its prefix. */
  readonly rootName: string;
  /** Those in scope in the root element. The default namespace has an empty prefix. */
  readonly namespaces: readonly (readonly [prefix: string, uri: string])[];
}
