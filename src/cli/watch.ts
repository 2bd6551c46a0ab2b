import { FolderWatcher, type WatchTotals } from "../ingest/watch/folder-watcher.ts";
import { createLog } from "../telemetry/log/log.ts";
import { standardError } from "../telemetry/log/log-writer.ts";
import { openWatchedStore, storeOptions } from "./config/store-location.ts";
import { refuseOwnFiles, type WatchSettings, watchOptions, watchSettings } from "./config/watch-settings.ts";
import { WATCH_PROCESS_VARIABLE } from "./serve/child-protocol.ts";
import { runWatchProcess } from "./serve/watch-child.ts";
import { EXIT, UsageError } from "./terminal/arguments.ts";
import { type Command, defineCommand, flag } from "./terminal/command.ts";
import { formatCountOf } from "./terminal/format.ts";
import { receiveStopSignals } from "./terminal/signals.ts";

/** A feed that is being read is left at once. A commit, or the wait for another import, may take longer. */
const STOP_TIMEOUT_MS = 8000;

const declared = defineCommand(
  [
    "colophon watch /srv/feeds",
    "colophon watch /srv/feeds --db /var/lib/colophon/catalog.db --on-import /usr/local/bin/feed-arrived",
    "COLOPHON_WATCH=/srv/feeds COLOPHON_SETTLE=60 colophon watch --once",
  ],
  {
    operands: "DIR",
    options: {
      ...storeOptions,
      once: flag({ help: "imports what is there and ends, with the exit codes of import" }),
      ...watchOptions,
    },
    about:
      "imports the feeds that arrive in DIR and its subfolders, and moves them to done/ or refused/ with their report",
    async run({ storeLocation, once, ...settings }, [operand]) {
      const folder = operand ?? process.env.COLOPHON_WATCH;
      if (!folder) throw new UsageError("no folder given: name the folder that the feeds arrive in");
      const watch = watchSettings(folder, settings);
      refuseOwnFiles(watch.folder, [storeLocation]);
      return await watchHere(watch, storeLocation, once);
    },
  },
);

/** Runs until SIGINT or SIGTERM, or as the process of `serve --watch`. */
export const command: Command = {
  ...declared,
  async run(args) {
    const inherited = process.env[WATCH_PROCESS_VARIABLE];
    // The operator's command inherits the environment. It must neither see the store nor become this process.
    delete process.env[WATCH_PROCESS_VARIABLE];
    return await (inherited === undefined ? declared.run(args) : runWatchProcess(JSON.parse(inherited)));
  },
};

async function watchHere(watch: WatchSettings, storeLocation: string, isOnce: boolean): Promise<number> {
  const format = process.stderr.isTTY ? "text" : "json";
  const log = createLog({ level: "errors", format, ...standardError() });
  const openStore = () => openWatchedStore(storeLocation);
  const watcher = new FolderWatcher({ ...watch, openStore, observe: log.observe });
  const signals = receiveStopSignals();
  const stop = new AbortController();
  void signals.first.then((signal) => {
    stop.abort(new Error(`stopped by ${signal}`));
    setTimeout(() => process.exit(EXIT.ok), STOP_TIMEOUT_MS).unref();
  });
  void signals.second.then(() => process.exit(EXIT.ok));
  try {
    if (!isOnce) {
      await watcher.run(stop.signal);
      return EXIT.ok;
    }
    const totals = await watcher.runOnce(stop.signal);
    console.log(formatTotals(totals));
    return exitCode(totals);
  } finally {
    watcher.close();
    await log.close();
  }
}

function formatTotals({ changed, unchanged, refused, failed, unknown }: WatchTotals): string {
  const parts = [
    `${changed} changed the catalog`,
    `${unchanged} changed nothing`,
    `${refused} refused`,
    ...(failed + unknown > 0 ? [`${failed + unknown} not imported, see standard error`] : []),
  ];
  return `${formatCountOf(changed + unchanged + refused, "feed")}: ${parts.join(", ")}.`;
}

/** The codes of `import`, for all feeds together. */
function exitCode({ refused, failed, unknown, rejected }: WatchTotals): number {
  if (refused + failed > 0) return EXIT.failed;
  if (unknown > 0) return EXIT.outcomeUnknown;
  return rejected > 0 ? EXIT.someRejected : EXIT.ok;
}
