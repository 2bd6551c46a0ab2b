/** What happens in a watched folder, for the log and the metrics. */

/**
 * After `changed` and `unchanged` the feed is in `done`, after `refused` in `refused`. The words are those of
 * `ImportOutcome`, where a failure can also be that of the store.
 */
export type FeedOutcome = "changed" | "unchanged" | "refused";

export type WatchEvent =
  | {
      readonly kind: "feed";
      /** With `postponed`, the feed stays where it is, and is tried again. */
      readonly outcome: FeedOutcome | "postponed";
      /** The name below the watched folder. */
      readonly feed: string;
      readonly sender?: string | undefined;
      readonly products?: number;
      readonly rejected?: number;
      readonly seconds?: number;
      /** Where the feed is now, below the watched folder. */
      readonly movedTo?: string;
      readonly reason?: string;
    }
  /**
   * `waiting`: another import holds the lock of the store. `blocked`: nothing is taken until the problem is solved.
   * `skipped`: a file, a subfolder or a report has a problem.
   */
  | {
      readonly kind: "watch";
      readonly state: "watched" | "waiting" | "blocked" | "skipped" | "left";
      readonly folder: string;
      readonly reason?: string;
    }
  /** The operator's command has failed. */
  | { readonly kind: "hook"; readonly feed: string; readonly reason: string }
  /** The feeds that a scan has found and that are not taken yet, and the age of the oldest. */
  | { readonly kind: "backlog"; readonly feeds: number; readonly oldestSeconds: number };

/** An observer must not throw. */
export type WatchObserver = (event: WatchEvent) => void;
