/** Who is measured: the same books behind a port. */
export interface Contestant {
  readonly name: string;
  readonly url: string;
  /** Of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The processes that answer. */
  readonly pids: readonly number[];
  /** Paths of what is asked for. Undefined: it has no such thing. */
  readonly paths: {
    readonly isbn: (isbn: string) => string;
    readonly isbns?: (isbns: readonly string[]) => string;
    readonly imprint?: string;
    readonly skus?: string;
    readonly news?: string;
  };
  stop(): Promise<void>;
}

/** Where the books are. */
export interface Shelf {
  readonly records: number;
  readonly database: string;
  /** The same bytes as files, at the paths of the API. */
  readonly files: string;
  /** For what a contestant needs beside them. */
  readonly folder: string;
}

/** On these cores (`taskset`). Throws what a person must do first when it cannot run here. */
export type Start = (shelf: Shelf, cores: string) => Promise<Contestant>;
