/** One element with everything inside it, on lines of its own. */
export interface WrittenElement {
  /** The reference name. */
  readonly name: string;
  readonly xml: string;
}

export type Attribute = readonly [name: string, value: string];
