/** How often the history of changes contradicts the records, as an engine has counted it. */
export interface HistoryCounts {
  /** Records whose last change is of an import that the store does not have. */
  readonly withoutImport: number;
  /** Deletions of books that are in the catalog. */
  readonly present: number;
}

/** Returns the defects of the history for `colophon verify`. */
export function historyFaults({ withoutImport, present }: HistoryCounts): string[] {
  const faults: string[] = [];
  if (withoutImport > 0) {
    const noun = withoutImport === 1 ? "record" : "records";
    faults.push(`the changes of ${withoutImport} ${noun} are of imports that it does not have`);
  }
  if (present === 1) faults.push("1 deletion is of a book that the catalog has");
  else if (present > 1) faults.push(`${present} deletions are of books that the catalog has`);
  return faults;
}
