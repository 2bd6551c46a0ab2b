/**
 * An element of a product. Names are reference names, whichever tags the feed uses; prefixes and namespace
 * declarations are removed. Inside an element of kind `data` or `markup`, children are XHTML with their own names.
 */
export interface OnixElement {
  readonly name: string;
  /** In the order of the feed, without namespace declarations; names as written (`textformat`, `xml:lang`). */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Elements and texts in order. Adjacent texts and CDATA are merged into one text; no text is empty. */
  readonly children: readonly (OnixElement | string)[];
  /** The position of the start tag in the decoded text, counted from 1. */
  readonly line: number;
  readonly column: number;
}

export function attributeOf(element: OnixElement, name: string): string | undefined {
  return element.attributes.find(([attributeName]) => attributeName === name)?.[1];
}
