/** What every part of the view depends on beside the record. */
import type { Language } from "../../../../client/labels.ts";

export interface ViewContext {
  readonly language: Language;
  /** YYYYMMDD, for what is past and what is to come. */
  readonly today: string;
}
