/** A book record, as docs/record.md describes it. */
export interface Book {
  readonly _id: string;
  readonly RecordReference: string;
  readonly NotificationType: string;
  readonly [field: string]: unknown;
}
