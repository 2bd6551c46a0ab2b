/** The load of a store at one moment, for metrics. A member that does not apply to the engine is omitted. */
export interface StoreLoad {
  /** The lists that are open, each with a snapshot of its own. */
  readonly openLists: number;
  /** The age of the oldest open list; 0 when none is open. */
  readonly oldestListMs?: number;
  /** The open connections to a database server. */
  readonly poolConnections?: number;
  /** The size of the database file. */
  readonly fileBytes?: number;
  /** The size of the write-ahead log. */
  readonly logBytes?: number;
  /** The part of the file that has no content: later imports use it. */
  readonly freePageBytes?: number | undefined;
  /** The free space of the disk that the file is on. */
  readonly diskFreeBytes?: number;
}
