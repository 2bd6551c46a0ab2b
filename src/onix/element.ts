/**
 * An element of a product as the reader hands it on. Names are ONIX reference names, whichever tags the feed
 * used; prefixes and namespace declarations are gone. Inside an element that holds text (kinds `data`,
 * `markup`) children are XHTML and keep their own names.
 */
export interface OnixElement {
  readonly name: string;
  /** In the order of the feed; names as written (`textformat`, `xml:lang`), none for namespaces. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Elements and texts in order. Adjacent texts and CDATA are one; no text is empty. */
  readonly children: readonly (OnixElement | string)[];
  /** Where the element begins in the decoded text, both counted from 1. */
  readonly line: number;
  readonly column: number;
}
