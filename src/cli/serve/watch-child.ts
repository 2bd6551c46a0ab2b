/** The process of `serve --watch` that imports. `watch-process.ts` starts and ends it. */
import { setPriority } from "node:os";
import { FolderInUse } from "../../ingest/watch/folder/folder-problem.ts";
import { FolderWatcher } from "../../ingest/watch/folder-watcher.ts";
import type { WatchEvent } from "../../ingest/watch/watch-event.ts";
import { sleepUntilAborted } from "../../lib/awaitable.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { openWatchedStore } from "../config/store-location.ts";
import { EXIT } from "../terminal/arguments.ts";
import type { SupervisorMessage, WatchMessage, WatchProcessSettings } from "./child-protocol.ts";

/** Imports leave the processor to requests (nice value, 19 is the lowest priority). */
const NICENESS = 10;
/** How often the lock of the folder is tried, while another process has it: during an update, two services run. */
const LOCK_RETRY_MS = 2000;

/** Runs until `serve` says stop, or ends. */
export async function runWatchProcess({ storeLocation, watch }: WatchProcessSettings): Promise<number> {
  const stop = new AbortController();
  // Ctrl-C and systemd send signals to all processes. The parent decides when this one stops.
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("message", ({ kind }: SupervisorMessage) => {
    if (kind === "ping") send({ kind: "pong" });
    if (kind === "stop") stop.abort(new Error("the service stops"));
  });
  process.once("disconnect", () => stop.abort(new Error("the service has ended")));
  setPriority(NICENESS);
  const observe = (event: WatchEvent) => send({ kind: "event", event });
  const openStore = () => openWatchedStore(storeLocation);
  try {
    const watcher = await openWhenFree(
      () => new FolderWatcher({ ...watch, openStore, observe }),
      ({ message }) => observe({ kind: "watch", state: "blocked", folder: watch.folder, reason: message }),
      stop.signal,
    );
    await watcher?.run(stop.signal);
    watcher?.close();
    return EXIT.ok;
  } catch (error) {
    observe({ kind: "watch", state: "blocked", folder: watch.folder, reason: errorMessage(error) });
    return EXIT.failed;
  } finally {
    process.disconnect?.();
  }
}

/** Returns undefined when the signal is aborted before the folder is free. */
async function openWhenFree(
  open: () => FolderWatcher,
  onUsed: (problem: FolderInUse) => void,
  signal: AbortSignal,
): Promise<FolderWatcher | undefined> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      return open();
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (isFirst) onUsed(error);
      await sleepUntilAborted(LOCK_RETRY_MS, signal);
    }
  }
  return undefined;
}

function send(message: WatchMessage): void {
  // Without a parent there is nobody to tell.
  if (process.connected) process.send?.(message);
}
