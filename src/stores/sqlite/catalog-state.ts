/** The state of the catalog that a transaction reads. */
export interface CatalogState {
  readonly revision: string;
  /**
   * Changes with every import that changes or removes a record, even if it or a later one restores the revision, when
   * deletions are forgotten, and when the file is compacted. A record has the same id for as long as it is the same.
   */
  readonly generation: string;
  readonly records: number;
}

export const SELECT_STATE = `SELECT revision,
    concat(revision, ' ', imported, ' ', schema_version, ' ', forgotten_change) AS generation,
    records
  FROM catalog, pragma_schema_version`;
