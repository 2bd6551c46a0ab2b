/** How a product in a feed differs from its record, so that the writer can restore it. */
import type { OnixRelease } from "../message-version.ts";

/** Members without content are omitted. Stores keep it as JSON, so the names must not change. */
export interface Origin {
  readonly release: OnixRelease;
  /** Flags that were added to DescriptiveDetail. */
  readonly set?: readonly string[];
  /** Flags that were removed from DescriptiveDetail, because they contradicted other elements. */
  readonly unset?: readonly string[];
  /**
   * By name of the child of the product: the texts, counted from 0 in the order of the record, for which
   * `looksLikeXhtml` is wrong.
   */
  readonly exceptions?: Readonly<Record<string, readonly number[]>>;
  /**
   * By name of the child of the product, then by the number of texts before the composite: the order of children that
   * alternate; see `interleaving.ts`.
   */
  readonly interleaved?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /**
   * By name of the header's default: the prices, counted from 0 in the order of the record, that it was applied to.
   * DefaultLanguageOfText has the number 0.
   */
  readonly defaults?: Readonly<Record<string, readonly number[]>>;
  /** How many identifiers were added. They are the last ones. */
  readonly completed?: number;
  /** Original values of corrected identifiers, by index. */
  readonly sent?: Readonly<Record<string, string>>;
}
