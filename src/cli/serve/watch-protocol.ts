/** The settings and messages between `serve` and the process of `--watch`. This module loads nothing of imports. */
import type { WatchEvent } from "../../ingest/watch/watch-event.ts";
import type { WatchSettings } from "../config/watch-settings.ts";

/** The environment variable with the settings as JSON: arguments are visible to all users of the machine. */
export const WATCH_PROCESS_VARIABLE = "COLOPHON_WATCH_PROCESS";

export interface WatchProcessSettings {
  readonly storeLocation: string;
  readonly watch: WatchSettings;
}

/** From the child to `serve`. */
export type WatchMessage = { readonly kind: "event"; readonly event: WatchEvent };
